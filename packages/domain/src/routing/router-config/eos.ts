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

/** eosRouter returns a configuration for Arista EOS. It is untested: see `notesOn`. */
export function eosRouter(network: RouterNetwork, self: UpstreamRouter): string {
  const { asn, detection, mostNextHops, mostRoutes } = network;
  // A route-map that refers to a missing prefix-list would accept everything.
  const routed = ([4, 6] as const).filter((family) => servicesOf(network, family).length > 0);
  return [
    ...routed.flatMap((family) => [
      `${family === 4 ? "ip" : "ipv6"} prefix-list FAIRLEAD-${family}`,
      ...servicesOf(network, family).map(
        (prefix, index) => `   seq ${(index + 1) * 10} permit ${prefix} le ${family === 4 ? 32 : 128}`,
      ),
      "!",
    ]),
    "ip community-list FAIRLEAD-DRAINS permit 65535:0",
    "!",
    ...routed.flatMap((family) => {
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
    "route-map FAIRLEAD-IN deny 100",
    "route-map FAIRLEAD-OUT deny 10",
    "!",
    `router bgp ${self.asn}`,
    `   router-id ${routerIdOf(self.address)}`,
    `   maximum-paths ${mostNextHops} ecmp ${mostNextHops}`,
    ...(isInternal(network, self) ? [] : ["   bgp bestpath as-path multipath-relax"]),
    "   bgp additional-paths receive",
    "   neighbor FAIRLEAD peer group",
    `   neighbor FAIRLEAD remote-as ${asn}`,
    `   neighbor FAIRLEAD timers ${keepaliveOf(network)} ${network.holdSeconds}`,
    "   neighbor FAIRLEAD route-map FAIRLEAD-IN in",
    "   neighbor FAIRLEAD route-map FAIRLEAD-OUT out",
    // By default EOS ends a session at 12000 routes. Routes of reflectors need no limit: reflectors limit each balancer.
    `   neighbor FAIRLEAD maximum-routes ${isDirect(network) ? mostRoutes : 0}`,
    ...(network.hasPassword ? [`   neighbor FAIRLEAD password 0 ${passwordToFill}`] : []),
    ...(network.nearOnly ? ["   neighbor FAIRLEAD ttl maximum-hops 1"] : []),
    ...(detection === null
      ? []
      : [
          "   neighbor FAIRLEAD bfd",
          `   neighbor FAIRLEAD bfd interval ${detection.intervalMs} min-rx ${detection.intervalMs} multiplier ${detection.multiplier}`,
        ]),
    ...(isDirect(network)
      ? network.balancers.map((prefix) => `   bgp listen range ${prefix} peer-group FAIRLEAD remote-as ${asn}`)
      : network.reflectors.flatMap((peer) => [
          `   neighbor ${peer.address} peer group FAIRLEAD`,
          `   neighbor ${peer.address} description ${nameOf(peer)}`,
        ])),
    ...["ipv4", "ipv6"].flatMap((family) => [
      "   !",
      `   address-family ${family}`,
      "      neighbor FAIRLEAD activate",
    ]),
    "!",
    "",
  ].join("\n");
}
