import { isInternal, keepAliveSeconds, nameOf, passwordToFill, type RouterNetwork, servicesOf } from "./network.ts";

/** frrRouter is bgpd's configuration, or all of frr.conf. */
export function frrRouter(network: RouterNetwork): string {
  const { asn, router, detection, mostNextHops } = network;
  const kind = isInternal(network) ? "ibgp " : "";
  return [
    "frr defaults datacenter",
    "!",
    ...prefixLists(network),
    "route-map FAIRLEAD-IN permit 10",
    " match ip address prefix-list FAIRLEAD-4",
    "route-map FAIRLEAD-IN permit 20",
    " match ipv6 address prefix-list FAIRLEAD-6",
    "route-map FAIRLEAD-OUT deny 10",
    "!",
    ...(detection === null ? [] : bfd(detection)),
    `router bgp ${router.asn}`,
    ` bgp router-id ${router.id}`,
    " no bgp default ipv4-unicast",
    " bgp bestpath as-path multipath-relax",
    " neighbor FAIRLEAD peer-group",
    ` neighbor FAIRLEAD remote-as ${asn}`,
    ` neighbor FAIRLEAD timers ${keepAliveSeconds(network)} ${network.holdSeconds}`,
    " neighbor FAIRLEAD timers connect 2",
    " neighbor FAIRLEAD advertisement-interval 0",
    ...(network.hasPassword ? [` neighbor FAIRLEAD password ${passwordToFill}`] : []),
    ...(network.nearOnly ? [" neighbor FAIRLEAD ttl-security hops 1"] : []),
    ...(detection === null ? [] : [" neighbor FAIRLEAD bfd", " neighbor FAIRLEAD bfd profile fairlead"]),
    ...network.peers.flatMap((peer) => [
      ` neighbor ${peer.address} peer-group FAIRLEAD`,
      ` neighbor ${peer.address} description ${nameOf(peer)}`,
    ]),
    ...(["ipv4", "ipv6"] as const).flatMap((family) => [
      " !",
      ` address-family ${family} unicast`,
      "  neighbor FAIRLEAD activate",
      "  neighbor FAIRLEAD route-map FAIRLEAD-IN in",
      "  neighbor FAIRLEAD route-map FAIRLEAD-OUT out",
      `  maximum-paths ${kind}${mostNextHops}`,
      " exit-address-family",
    ]),
    "!",
    "",
  ].join("\n");
}

const bfd = ({ intervalMs, multiplier }: { intervalMs: number; multiplier: number }): string[] => [
  "bfd",
  " profile fairlead",
  `  receive-interval ${intervalMs}`,
  `  transmit-interval ${intervalMs}`,
  `  detect-multiplier ${multiplier}`,
  " !",
  "!",
];

function prefixLists(network: RouterNetwork): string[] {
  return ([4, 6] as const).flatMap((family) => {
    const word = family === 4 ? "ip" : "ipv6";
    const lines = servicesOf(network, family).map(
      (prefix, index) =>
        `${word} prefix-list FAIRLEAD-${family} seq ${(index + 1) * 5} permit ${prefix} le ${family === 4 ? 32 : 128}`,
    );
    return lines.length > 0 ? lines : [`${word} prefix-list FAIRLEAD-${family} seq 5 deny any`];
  });
}

/** frrReflector is bgpd's configuration where FRR is the balancers' reflector. Its router is `router`. */
export function frrReflector(network: RouterNetwork, self: { id: string }, routers: readonly string[]): string {
  const { asn, router } = network;
  return [
    "frr defaults datacenter",
    "!",
    ...prefixLists(network),
    "route-map FAIRLEAD-IN permit 10",
    " match ip address prefix-list FAIRLEAD-4",
    "route-map FAIRLEAD-IN permit 20",
    " match ipv6 address prefix-list FAIRLEAD-6",
    "route-map FAIRLEAD-NOTHING deny 10",
    "!",
    `router bgp ${asn}`,
    ` bgp router-id ${self.id}`,
    ` bgp cluster-id ${self.id}`,
    " no bgp default ipv4-unicast",
    " neighbor BALANCERS peer-group",
    ` neighbor BALANCERS remote-as ${asn}`,
    ` neighbor BALANCERS timers ${keepAliveSeconds(network)} ${network.holdSeconds}`,
    ...(network.hasPassword ? [` neighbor BALANCERS password ${passwordToFill}`] : []),
    ...network.balancers.map((prefix) => ` bgp listen range ${prefix} peer-group BALANCERS`),
    " bgp listen limit 1000",
    ...routers.flatMap((address) => [
      ` neighbor ${address} remote-as ${router.asn}`,
      ` neighbor ${address} timers ${keepAliveSeconds(network)} ${network.holdSeconds}`,
      ` neighbor ${address} timers connect 2`,
      ` neighbor ${address} advertisement-interval 0`,
    ]),
    ...(["ipv4", "ipv6"] as const).flatMap((family) => [
      " !",
      ` address-family ${family} unicast`,
      "  neighbor BALANCERS activate",
      "  neighbor BALANCERS route-reflector-client",
      "  neighbor BALANCERS route-map FAIRLEAD-IN in",
      "  neighbor BALANCERS route-map FAIRLEAD-NOTHING out",
      ...routers.flatMap((address) => [
        `  neighbor ${address} activate`,
        ...(isInternal(network)
          ? [`  neighbor ${address} route-reflector-client`]
          : [`  neighbor ${address} attribute-unchanged next-hop`]),
        `  neighbor ${address} addpath-tx-all-paths`,
        `  neighbor ${address} route-map FAIRLEAD-NOTHING in`,
      ]),
      " exit-address-family",
    ]),
    "!",
    "",
  ].join("\n");
}
