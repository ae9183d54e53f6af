import { isInternal, keepAliveSeconds, nameOf, passwordToFill, type RouterNetwork, servicesOf } from "./network.ts";

// Routers that don't run here: their text is held to golden files, and was never loaded into one.

/** junosRouter is a set of Junos statements, to be loaded with `load merge`. */
export function junosRouter(network: RouterNetwork): string {
  const { detection } = network;
  const group = "set protocols bgp group fairlead";
  return [
    `set routing-options router-id ${network.router.id}`,
    `set routing-options autonomous-system ${network.router.asn}`,
    "set policy-options community fairlead-drains members 65535:0",
    "set policy-options policy-statement fairlead-in term drains from community fairlead-drains",
    "set policy-options policy-statement fairlead-in term drains then local-preference 0",
    "set policy-options policy-statement fairlead-in term services from route-filter-list fairlead",
    "set policy-options policy-statement fairlead-in term services then accept",
    "set policy-options policy-statement fairlead-in term rest then reject",
    "set policy-options policy-statement fairlead-out then reject",
    ...network.services.map((prefix) => `set policy-options route-filter-list fairlead ${prefix} orlonger`),
    "set policy-options policy-statement fairlead-ecmp then load-balance per-flow",
    "set routing-options forwarding-table export fairlead-ecmp",
    `${group} type ${isInternal(network) ? "internal" : "external"}`,
    ...(isInternal(network) ? [] : [`${group} peer-as ${network.asn}`]),
    `${group} multipath${isInternal(network) ? "" : " multiple-as"}`,
    `${group} hold-time ${network.holdSeconds}`,
    `${group} import fairlead-in`,
    `${group} export fairlead-out`,
    `${group} family inet unicast add-path receive`,
    `${group} family inet6 unicast add-path receive`,
    ...(network.hasPassword ? [`${group} authentication-key "${passwordToFill}"`] : []),
    ...(network.nearOnly ? [`${group} ttl 255`] : []),
    ...(detection === null
      ? []
      : [
          `${group} bfd-liveness-detection minimum-interval ${detection.intervalMs}`,
          `${group} bfd-liveness-detection multiplier ${detection.multiplier}`,
        ]),
    ...network.peers.flatMap((peer) => [`${group} neighbor ${peer.address} description "${nameOf(peer)}"`]),
    "",
  ].join("\n");
}

/** eosRouter is a configuration of Arista's EOS. */
export function eosRouter(network: RouterNetwork): string {
  const { router, detection, mostNextHops } = network;
  const lines = [
    ...([4, 6] as const).flatMap((family) => [
      `${family === 4 ? "ip" : "ipv6"} prefix-list FAIRLEAD-${family}`,
      ...servicesOf(network, family).map(
        (prefix, index) => `   seq ${(index + 1) * 10} permit ${prefix} le ${family === 4 ? 32 : 128}`,
      ),
      "!",
    ]),
    "ip community-list FAIRLEAD-DRAINS permit 65535:0",
    "!",
    ...([4, 6] as const).flatMap((family) => {
      const match = `   match ${family === 4 ? "ip" : "ipv6"} address prefix-list FAIRLEAD-${family}`;
      return [
        `route-map FAIRLEAD-IN permit ${family * 10}`,
        match,
        "   match community FAIRLEAD-DRAINS",
        "   set local-preference 0",
        `route-map FAIRLEAD-IN permit ${family * 10 + 5}`,
        match,
      ];
    }),
    "route-map FAIRLEAD-OUT deny 10",
    "!",
    `router bgp ${router.asn}`,
    `   router-id ${router.id}`,
    `   maximum-paths ${mostNextHops} ecmp ${mostNextHops}`,
    ...(isInternal(network) ? [] : ["   bgp bestpath as-path multipath-relax"]),
    "   bgp additional-paths receive",
    "   neighbor FAIRLEAD peer group",
    `   neighbor FAIRLEAD remote-as ${network.asn}`,
    `   neighbor FAIRLEAD timers ${keepAliveSeconds(network)} ${network.holdSeconds}`,
    "   neighbor FAIRLEAD route-map FAIRLEAD-IN in",
    "   neighbor FAIRLEAD route-map FAIRLEAD-OUT out",
    ...(network.hasPassword ? [`   neighbor FAIRLEAD password 0 ${passwordToFill}`] : []),
    ...(network.nearOnly ? ["   neighbor FAIRLEAD ttl maximum-hops 1"] : []),
    ...(detection === null
      ? []
      : [
          "   neighbor FAIRLEAD bfd",
          `   neighbor FAIRLEAD bfd interval ${detection.intervalMs} min-rx ${detection.intervalMs} multiplier ${detection.multiplier}`,
        ]),
    ...network.peers.flatMap((peer) => [
      `   neighbor ${peer.address} peer group FAIRLEAD`,
      `   neighbor ${peer.address} description ${nameOf(peer)}`,
    ]),
    ...["ipv4", "ipv6"].flatMap((family) => [
      "   !",
      `   address-family ${family}`,
      "      neighbor FAIRLEAD activate",
    ]),
    "!",
    "",
  ];
  return lines.join("\n");
}

/** iosXrRouter is a configuration of Cisco's IOS XR. */
export function iosXrRouter(network: RouterNetwork): string {
  const { router, detection, mostNextHops } = network;
  const kind = isInternal(network) ? "ibgp" : "ebgp";
  return [
    "prefix-set FAIRLEAD",
    network.services.map((prefix) => `  ${prefix} le ${prefix.includes(":") ? 128 : 32}`).join(",\n"),
    "end-set",
    "route-policy FAIRLEAD-IN",
    "  if community matches-any (65535:0) then",
    "    set local-preference 0",
    "  endif",
    "  if destination in FAIRLEAD then",
    "    pass",
    "  else",
    "    drop",
    "  endif",
    "end-policy",
    "route-policy FAIRLEAD-OUT",
    "  drop",
    "end-policy",
    "!",
    `router bgp ${router.asn}`,
    ` bgp router-id ${router.id}`,
    ...(isInternal(network) ? [] : [" bgp bestpath as-path multipath-relax"]),
    ...["ipv4", "ipv6"].flatMap((family) => [
      ` address-family ${family} unicast`,
      `  maximum-paths ${kind} ${mostNextHops}`,
      "  additional-paths receive",
      " !",
    ]),
    " neighbor-group FAIRLEAD",
    `  remote-as ${network.asn}`,
    `  timers ${keepAliveSeconds(network)} ${network.holdSeconds}`,
    ...(network.hasPassword ? [`  password clear ${passwordToFill}`] : []),
    ...(network.nearOnly ? ["  ttl-security"] : []),
    ...(detection === null
      ? []
      : [
          "  bfd fast-detect",
          `  bfd minimum-interval ${detection.intervalMs}`,
          `  bfd multiplier ${detection.multiplier}`,
        ]),
    ...["ipv4", "ipv6"].flatMap((family) => [
      `  address-family ${family} unicast`,
      "   route-policy FAIRLEAD-IN in",
      "   route-policy FAIRLEAD-OUT out",
      "  !",
    ]),
    " !",
    ...network.peers.flatMap((peer) => [
      ` neighbor ${peer.address}`,
      "  use neighbor-group FAIRLEAD",
      `  description ${nameOf(peer)}`,
      " !",
    ]),
    "!",
    "",
  ].join("\n");
}
