import { addressBits, isSix } from "../../address/family.ts";
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

/** BIRD's limit: it rejects a configuration with more next hops. */
export const mostOfBird = 255;

/** birdRouter returns bird.conf for BIRD 2. */
export function birdRouter(network: RouterNetwork, self: UpstreamRouter): string {
  const { detection } = network;
  return [
    `router id ${routerIdOf(self.address)};`,
    "",
    "protocol device { scan time 60; }",
    "protocol direct { ipv4; ipv6; }",
    ...([4, 6] as const).flatMap((family) => [
      `protocol kernel kernel${family} {`,
      `  ipv${family} { import none; export where source = RTS_BGP; };`,
      `  merge paths on limit ${Math.min(network.mostNextHops, mostOfBird)};`,
      "}",
    ]),
    ...(detection === null
      ? []
      : [
          "protocol bfd {",
          `  interface "*" { interval ${detection.intervalMs} ms; multiplier ${detection.multiplier}; };`,
          "}",
        ]),
    "",
    ...([4, 6] as const).flatMap((family) => [
      `filter fairlead${family} {`,
      // LOCAL_PREF isn't sent to another AS, so a draining balancer signals it with GRACEFUL_SHUTDOWN.
      "  if (65535, 0) ~ bgp_community then bgp_local_pref = 0;",
      ...accept(servicesOf(network, family), family),
      "  reject;",
      "}",
    ]),
    "",
    ...(isDirect(network)
      ? network.balancers.flatMap((prefix, index) =>
          protocol(network, self, `fairlead${index + 1} { # balancers`, prefix, [
            `  neighbor range ${prefix} as ${network.asn};`,
            `  dynamic name "balancer${index + 1}_";`,
            "  error wait time 1, 10;",
          ]),
        )
      : network.reflectors.flatMap((peer, index) =>
          protocol(network, self, `fairlead${index + 1} { # ${nameOf(peer)}`, peer.address, [
            `  neighbor ${peer.address} as ${network.asn};`,
            "  connect delay time 1; connect retry time 2; error wait time 1, 10;",
          ]),
        )),
    "",
  ].join("\n");
}

function protocol(network: RouterNetwork, self: UpstreamRouter, name: string, peer: string, who: string[]): string[] {
  const { holdSeconds, hasPassword, nearOnly, detection, mostRoutes } = network;
  // For a peer in its own AS, BIRD defaults to multihop, also for BFD and GTSM. The peer is direct; only next hops may be distant.
  const isNear = isInternal(network, self) && (nearOnly || detection !== null);
  const channel = (family: 4 | 6) =>
    [
      `  ipv${family} { add paths rx; import filter fairlead${family}; export none;`,
      isNear ? " gateway recursive;" : "",
      // The session ends and all its routes are removed; a balancer may reconnect.
      isDirect(network) ? ` receive limit ${mostRoutes} action restart;` : "",
      family === 4 && isSix(peer) ? " extended next hop on;" : "",
      " };",
    ].join("");
  return [
    `protocol bgp ${name}`,
    `  local as ${self.asn};`,
    ...who,
    ...(isNear ? ["  direct;"] : []),
    `  hold time ${holdSeconds}; keepalive time ${keepaliveOf(network)};`,
    ...(hasPassword ? [`  password "${passwordToFill}";`] : []),
    ...(nearOnly ? ["  ttl security on;"] : []),
    ...(detection === null ? [] : ["  bfd on;"]),
    channel(4),
    channel(6),
    "}",
  ];
}

function accept(services: string[], family: 4 | 6): string[] {
  if (services.length === 0) return [];
  const set = services.map((prefix) => `${prefix}{${prefix.split("/")[1]},${addressBits(family)}}`).join(", ");
  return [`  if net ~ [ ${set} ] then accept;`];
}
