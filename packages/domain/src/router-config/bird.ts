import {
  isIPv6,
  keepAliveSeconds,
  lengthOf,
  nameOf,
  passwordToFill,
  type RouterNetwork,
  servicesOf,
} from "./network.ts";

/** birdRouter is bird.conf of BIRD 2. */
export function birdRouter(network: RouterNetwork): string {
  const { router, mostNextHops, detection } = network;
  return [
    `router id ${router.id};`,
    "",
    "protocol device { scan time 60; }",
    "protocol direct { ipv4; ipv6; }",
    ...([4, 6] as const).flatMap((family) => [
      `protocol kernel kernel${family} {`,
      `  ipv${family} { import none; export where source = RTS_BGP; };`,
      `  merge paths on limit ${mostNextHops};`,
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
      // A preference isn't told to another AS: who drains says so by GRACEFUL_SHUTDOWN.
      "  if (65535, 0) ~ bgp_community then bgp_local_pref = 0;",
      ...accept(servicesOf(network, family), family),
      "  reject;",
      "}",
    ]),
    "",
    ...network.peers.flatMap((peer, index) => [
      `protocol bgp fairlead${index + 1} { # ${nameOf(peer)}`,
      `  local as ${router.asn};`,
      `  neighbor ${peer.address} as ${network.asn};`,
      `  hold time ${network.holdSeconds}; keepalive time ${keepAliveSeconds(network)};`,
      "  connect delay time 1; connect retry time 2; error wait time 1, 10;",
      ...(network.hasPassword ? [`  password "${passwordToFill}";`] : []),
      ...(network.nearOnly ? ["  ttl security on;"] : []),
      ...(detection === null ? [] : ["  bfd on;"]),
      `  ipv4 { add paths rx; import filter fairlead4; export none;${isIPv6(peer.address) ? " extended next hop on;" : ""} };`,
      "  ipv6 { add paths rx; import filter fairlead6; export none; };",
      "}",
    ]),
    "",
  ].join("\n");
}

function accept(services: string[], family: 4 | 6): string[] {
  if (services.length === 0) return [];
  const set = services.map((prefix) => `${prefix}{${prefix.split("/")[1]},${lengthOf(family)}}`).join(", ");
  return [`  if net ~ [ ${set} ] then accept;`];
}
