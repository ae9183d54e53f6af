import {
  isDirect,
  isInternal,
  keepaliveOf,
  nameOf,
  passwordToFill,
  type RouterNetwork,
  type RouterPeer,
  routerIdOf,
  servicesOf,
  type UpstreamRouter,
} from "./network.ts";

/** The limit of next hops in packages of Debian and FRR, set at build time: bgpd rejects more. */
export const mostOfFrr = 256;

/** frrRouter returns the configuration of bgpd, or a whole frr.conf. */
export function frrRouter(network: RouterNetwork, self: UpstreamRouter): string {
  const kind = isInternal(network, self) ? "ibgp " : "";
  return [
    "frr defaults datacenter",
    "!",
    ...filters(network),
    // An FRR reflector of another AS on the same network adds its own link-local address to each next hop.
    " set ipv6 next-hop prefer-global",
    "route-map FAIRLEAD-OUT deny 10",
    "!",
    ...profile(network),
    `router bgp ${self.asn}`,
    ` bgp router-id ${routerIdOf(self.address)}`,
    " no bgp default ipv4-unicast",
    " bgp bestpath as-path multipath-relax",
    " neighbor FAIRLEAD peer-group",
    ` neighbor FAIRLEAD remote-as ${network.asn}`,
    ...session(network, "FAIRLEAD"),
    ...(listsBalancers(network, self) ? [] : detect(network, "FAIRLEAD")),
    " neighbor FAIRLEAD timers connect 2",
    " neighbor FAIRLEAD advertisement-interval 0",
    ...(isDirect(network)
      ? [...(listsBalancers(network, self) ? named(network) : []), ...callers(network, "FAIRLEAD")]
      : network.reflectors.flatMap((peer) => [
          ` neighbor ${peer.address} peer-group FAIRLEAD`,
          ` neighbor ${peer.address} description ${nameOf(peer)}`,
        ])),
    ...families(() => [
      "  neighbor FAIRLEAD activate",
      "  neighbor FAIRLEAD route-map FAIRLEAD-IN in",
      "  neighbor FAIRLEAD route-map FAIRLEAD-OUT out",
      ...(isDirect(network) ? [limit(network, "FAIRLEAD")] : []),
      `  maximum-paths ${kind}${Math.min(network.mostNextHops, mostOfFrr)}`,
    ]),
    "!",
    "",
  ].join("\n");
}

/** frrReflector returns the configuration of bgpd as the balancers' reflector. */
export function frrReflector(network: RouterNetwork, self: RouterPeer): string {
  const { asn, routers } = network;
  const id = routerIdOf(self.address);
  return [
    "frr defaults datacenter",
    "!",
    ...filters(network),
    "route-map FAIRLEAD-NOTHING deny 10",
    "!",
    ...profile(network),
    `router bgp ${asn}`,
    ` bgp router-id ${id}`,
    ` bgp cluster-id ${id}`,
    " no bgp default ipv4-unicast",
    " neighbor BALANCERS peer-group",
    ` neighbor BALANCERS remote-as ${asn}`,
    ...session(network, "BALANCERS"),
    ...detect(network, "BALANCERS"),
    ...callers(network, "BALANCERS"),
    ...routers.flatMap((router) => [
      ` neighbor ${router.address} remote-as ${router.asn}`,
      ` neighbor ${router.address} description ${nameOf(router)}`,
      ...session(network, router.address),
      ...detect(network, router.address),
      ` neighbor ${router.address} timers connect 2`,
      ` neighbor ${router.address} advertisement-interval 0`,
    ]),
    ...families(() => [
      "  neighbor BALANCERS activate",
      "  neighbor BALANCERS route-reflector-client",
      "  neighbor BALANCERS route-map FAIRLEAD-IN in",
      "  neighbor BALANCERS route-map FAIRLEAD-NOTHING out",
      limit(network, "BALANCERS"),
      ...routers.flatMap((router) => [
        `  neighbor ${router.address} activate`,
        // To another AS, FRR would set itself as the next hop of all routes, which leaves only one path.
        isInternal(network, router)
          ? `  neighbor ${router.address} route-reflector-client`
          : `  neighbor ${router.address} attribute-unchanged next-hop`,
        `  neighbor ${router.address} addpath-tx-all-paths`,
        `  neighbor ${router.address} route-map FAIRLEAD-NOTHING in`,
      ]),
    ]),
    "!",
    "",
  ].join("\n");
}

/** filters accept only prefixes in the pools. */
function filters(network: RouterNetwork): string[] {
  return [
    ...([4, 6] as const).flatMap((family) => {
      const list = `${family === 4 ? "ip" : "ipv6"} prefix-list FAIRLEAD-${family} seq`;
      const lines = servicesOf(network, family).map(
        (prefix, index) => `${list} ${(index + 1) * 5} permit ${prefix} le ${family === 4 ? 32 : 128}`,
      );
      return lines.length > 0 ? lines : [`${list} 5 deny any`];
    }),
    "route-map FAIRLEAD-IN permit 10",
    " match ip address prefix-list FAIRLEAD-4",
    "route-map FAIRLEAD-IN permit 20",
    " match ipv6 address prefix-list FAIRLEAD-6",
  ];
}

function profile({ detection }: RouterNetwork): string[] {
  if (detection === null) return [];
  const { intervalMs, multiplier } = detection;
  return [
    "bfd",
    " profile fairlead",
    `  receive-interval ${intervalMs}`,
    `  transmit-interval ${intervalMs}`,
    `  detect-multiplier ${multiplier}`,
    " !",
    "!",
  ];
}

/** session returns the settings of every session of the cluster, for a group or a single peer. */
function session(network: RouterNetwork, who: string): string[] {
  const { hasPassword, nearOnly, holdSeconds } = network;
  return [
    ` neighbor ${who} timers ${keepaliveOf(network)} ${holdSeconds}`,
    ...(hasPassword ? [` neighbor ${who} password ${passwordToFill}`] : []),
    ...(nearOnly ? [` neighbor ${who} ttl-security hops 1`] : []),
  ];
}

const detect = ({ detection }: RouterNetwork, who: string): string[] =>
  detection === null ? [] : [` neighbor ${who} bfd`, ` neighbor ${who} bfd profile fairlead`];

/**
 * listsBalancers reports whether each balancer needs its own entry. FRR 8.4's bfdd drops all packets of dynamic peers of
 * another AS, so the balancer would end the session. Listed balancers have BFD, later ones don't.
 */
export const listsBalancers = (network: RouterNetwork, router: { asn: number }): boolean =>
  isDirect(network) && network.detection !== null && !isInternal(network, router);

const named = (network: RouterNetwork): string[] =>
  network.speakers.flatMap((peer) => [
    ` neighbor ${peer.address} peer-group FAIRLEAD`,
    ` neighbor ${peer.address} description ${nameOf(peer)}`,
    ...detect(network, peer.address),
  ]);

/** callers accepts connections from all balancers, present and future. */
const callers = ({ balancers }: RouterNetwork, group: string): string[] => [
  ...balancers.map((prefix) => ` bgp listen range ${prefix} peer-group ${group}`),
  " bgp listen limit 1000",
];

/** limit ends the session for a minute if a balancer offers too many routes. */
const limit = ({ mostRoutes }: RouterNetwork, group: string): string =>
  `  neighbor ${group} maximum-prefix ${mostRoutes} restart 1`;

const families = (lines: () => string[]): string[] =>
  ["ipv4", "ipv6"].flatMap((family) => [" !", ` address-family ${family} unicast`, ...lines(), " exit-address-family"]);
