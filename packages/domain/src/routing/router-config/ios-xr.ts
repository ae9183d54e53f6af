import {
  isDirect,
  isInternal,
  keepaliveOf,
  nameOf,
  passwordToFill,
  type RouterNetwork,
  routerIdOf,
  servicesOf,
  type UpstreamRouter,
} from "./network.ts";

/** The limit of next hops that every IOS XR platform supports; some support more. */
export const mostOfIosXr = 64;

/** iosXrRouter returns a configuration for Cisco IOS XR. It is untested: see `notesOn`. */
export function iosXrRouter(network: RouterNetwork, self: UpstreamRouter): string {
  const { asn, detection, mostNextHops, mostRoutes } = network;
  const isOne = isInternal(network, self);
  const families = ["ipv4", "ipv6"];
  return [
    ...policies(network),
    "!",
    `router bgp ${self.asn}`,
    ` bgp router-id ${routerIdOf(self.address)}`,
    ...(isOne ? [] : [" bgp bestpath as-path multipath-relax"]),
    ...families.flatMap((family) => [
      ` address-family ${family} unicast`,
      `  maximum-paths ${isOne ? "ibgp" : "ebgp"} ${Math.min(mostNextHops, mostOfIosXr)}`,
      "  additional-paths receive",
      " !",
    ]),
    " neighbor-group FAIRLEAD",
    `  remote-as ${asn}`,
    `  timers ${keepaliveOf(network)} ${network.holdSeconds}`,
    ...(network.hasPassword ? [`  password clear ${passwordToFill}`] : []),
    ...(network.nearOnly ? ["  ttl-security"] : []),
    ...(detection === null
      ? []
      : [
          "  bfd fast-detect",
          `  bfd minimum-interval ${detection.intervalMs}`,
          `  bfd multiplier ${detection.multiplier}`,
        ]),
    ...families.flatMap((family) => [
      `  address-family ${family} unicast`,
      "   route-policy FAIRLEAD-IN in",
      "   route-policy FAIRLEAD-OUT out",
      ...(isDirect(network) ? [`   maximum-prefix ${mostRoutes} 80 restart 1`] : []),
      "  !",
    ]),
    " !",
    ...(isDirect(network) ? network.speakers : network.reflectors).flatMap((peer) => [
      ` neighbor ${peer.address}`,
      "  use neighbor-group FAIRLEAD",
      `  description ${nameOf(peer)}`,
      " !",
    ]),
    "!",
    "",
  ].join("\n");
}

/** policies accept only prefixes in the pools. Each set has one family, because mixed sets aren't documented. */
function policies(network: RouterNetwork): string[] {
  const routed = ([4, 6] as const).filter((family) => servicesOf(network, family).length > 0);
  const sets = routed.flatMap((family) => [
    `prefix-set FAIRLEAD-${family}`,
    servicesOf(network, family)
      .map((prefix) => `  ${prefix} le ${family === 4 ? 32 : 128}`)
      .join(",\n"),
    "end-set",
  ]);
  const pass = [
    `  if ${routed.map((family) => `destination in FAIRLEAD-${family}`).join(" or ")} then`,
    "    pass",
    "  else",
    "    drop",
    "  endif",
  ];
  return [
    ...sets,
    "route-policy FAIRLEAD-IN",
    "  if community matches-any (65535:0) then",
    "    set local-preference 0",
    "  endif",
    ...(routed.length > 0 ? pass : ["  drop"]),
    "end-policy",
    "route-policy FAIRLEAD-OUT",
    "  drop",
    "end-policy",
  ];
}
