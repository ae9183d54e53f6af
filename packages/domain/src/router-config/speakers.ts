import { isIPv6, keepAliveSeconds, nameOf, passwordToFill, type RouterNetwork } from "./network.ts";

/** SpeakerSelf is a host that offers services itself, beside the cluster's balancers. */
export type SpeakerSelf = { address: string; address6: string | null };

const hopOf = (prefix: string, self: SpeakerSelf): string | null => (isIPv6(prefix) ? self.address6 : self.address);

/** exabgpSpeaker is exabgp.conf of ExaBGP 4, with the routes in it: whoever stops it withdraws them. */
export function exabgpSpeaker(network: RouterNetwork, self: SpeakerSelf): string {
  const routes = network.services.flatMap((prefix) => {
    const hop = hopOf(prefix, self);
    return hop === null ? [] : [`    route ${prefix} next-hop ${hop};`];
  });
  return network.peers
    .map((peer) =>
      [
        `neighbor ${peer.address} { # ${nameOf(peer)}`,
        `  router-id ${self.address};`,
        `  local-address ${self.address};`,
        `  local-as ${network.asn};`,
        `  peer-as ${network.asn};`,
        `  hold-time ${network.holdSeconds};`,
        ...(network.hasPassword ? [`  md5-password "${passwordToFill}";`] : []),
        ...(network.nearOnly ? ["  outgoing-ttl 255;"] : []),
        "  family { ipv4 unicast; ipv6 unicast; }",
        "  static {",
        ...routes,
        "  }",
        "}",
        "",
      ].join("\n"),
    )
    .join("");
}

/** gobgpSpeaker is gobgpd's configuration. Its routes are offered with gobgp's own command, as the last lines say: of an origin that is as good as the balancers' own. */
export function gobgpSpeaker(network: RouterNetwork, self: SpeakerSelf): string {
  const offers = network.services.flatMap((prefix) => {
    const hop = hopOf(prefix, self);
    return hop === null
      ? []
      : [`# gobgp global rib add ${prefix} nexthop ${hop} origin igp -a ipv${isIPv6(prefix) ? 6 : 4}`];
  });
  return [
    "[global.config]",
    `  as = ${network.asn}`,
    `  router-id = "${self.address}"`,
    "  port = -1",
    ...network.peers.flatMap((peer) => [
      "",
      `[[neighbors]] # ${nameOf(peer)}`,
      "  [neighbors.config]",
      `    neighbor-address = "${peer.address}"`,
      `    peer-as = ${network.asn}`,
      ...(network.hasPassword ? [`    auth-password = "${passwordToFill}"`] : []),
      "  [neighbors.transport.config]",
      `    local-address = "${self.address}"`,
      "  [neighbors.timers.config]",
      `    hold-time = ${network.holdSeconds}`,
      `    keepalive-interval = ${keepAliveSeconds(network)}`,
      "    connect-retry = 2",
      ...(network.nearOnly ? ["  [neighbors.ttl-security.config]", "    enabled = true", "    ttl-min = 255"] : []),
      ...["ipv4-unicast", "ipv6-unicast"].flatMap((family) => [
        "  [[neighbors.afi-safis]]",
        "    [neighbors.afi-safis.config]",
        `      afi-safi-name = "${family}"`,
      ]),
    ]),
    "",
    "# Once it runs, these offer the services:",
    ...offers,
    "",
  ].join("\n");
}
