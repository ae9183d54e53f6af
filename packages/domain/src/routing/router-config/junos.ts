import {
  isDirect,
  isInternal,
  nameOf,
  passwordToFill,
  type RouterNetwork,
  routerIdOf,
  servicesOf,
  type UpstreamRouter,
} from "./network.ts";

/** junosRouter returns Junos statements for `load set`. They are untested: see `notesOn`. */
export function junosRouter(network: RouterNetwork, self: UpstreamRouter): string {
  const { detection, mostRoutes } = network;
  const group = "set protocols bgp group fairlead";
  const policy = "set policy-options policy-statement";
  const isOne = isInternal(network, self);
  return [
    `set routing-options router-id ${routerIdOf(self.address)}`,
    `set routing-options autonomous-system ${self.asn}`,
    // LOCAL_PREF isn't sent to another AS, so a draining balancer signals it with GRACEFUL_SHUTDOWN.
    "set policy-options community fairlead-drains members 65535:0",
    `${policy} fairlead-in term drains from community fairlead-drains`,
    `${policy} fairlead-in term drains then local-preference 0`,
    // An empty list doesn't exist, and a policy that refers to it can't be committed.
    ...([4, 6] as const).flatMap((family) => {
      const services = servicesOf(network, family);
      if (services.length === 0) return [];
      return [
        ...services.map((prefix) => `set policy-options route-filter-list fairlead-${family} ${prefix} orlonger`),
        `${policy} fairlead-in term services-${family} from route-filter-list fairlead-${family}`,
        `${policy} fairlead-in term services-${family} then accept`,
      ];
    }),
    `${policy} fairlead-in term rest then reject`,
    `${policy} fairlead-out then reject`,
    `${policy} fairlead-ecmp then load-balance per-flow`,
    "set routing-options forwarding-table export fairlead-ecmp",
    `${group} type ${isOne ? "internal" : "external"}`,
    // Next hops of another AS may be on another network than the peer.
    ...(isOne ? [] : [`${group} peer-as ${network.asn}`, `${group} accept-remote-nexthop`]),
    `${group} multipath${isOne ? "" : " multiple-as"}`,
    `${group} hold-time ${network.holdSeconds}`,
    `${group} import fairlead-in`,
    `${group} export fairlead-out`,
    ...["inet", "inet6"].flatMap((family) => [
      `${group} family ${family} unicast add-path receive`,
      ...(isDirect(network)
        ? [
            `${group} family ${family} unicast prefix-limit maximum ${mostRoutes}`,
            `${group} family ${family} unicast prefix-limit teardown idle-timeout 1`,
          ]
        : []),
    ]),
    ...(network.hasPassword ? [`${group} authentication-key "${passwordToFill}"`] : []),
    ...(network.nearOnly ? [`${group} ttl 255`] : []),
    ...(detection === null
      ? []
      : [
          `${group} bfd-liveness-detection minimum-interval ${detection.intervalMs}`,
          `${group} bfd-liveness-detection multiplier ${detection.multiplier}`,
        ]),
    ...(isDirect(network)
      ? network.balancers.map((prefix) => `${group} allow ${prefix}`)
      : network.reflectors.map((peer) => `${group} neighbor ${peer.address} description "${nameOf(peer)}"`)),
    "",
  ].join("\n");
}
