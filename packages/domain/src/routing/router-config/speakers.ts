import { familyOf, isSix } from "../../address/family.ts";
import {
  isDirect,
  keepaliveOf,
  nameOf,
  passwordToFill,
  type RouterNetwork,
  routerIdOf,
  type UpstreamRouter,
} from "./network.ts";

/** SpeakerSelf is a host that offers services besides the cluster's balancers. */
export type SpeakerSelf = { address: string; address6: string | null };

/** addressOf is the host's address of a family, or null. */
function addressOf({ address, address6 }: SpeakerSelf, wantsSix: boolean): string | null {
  if (wantsSix) return address6 ?? (isSix(address) ? address : null);
  return isSix(address) ? null : address;
}

/** peersOf are the same peers as those of balancers: reflectors, or routers if there are none. */
const peersOf = (network: RouterNetwork): UpstreamRouter[] =>
  isDirect(network) ? network.routers : network.reflectors.map((peer) => ({ ...peer, asn: network.asn }));

/** reached returns the peers with the host's address for each, and comments about those that are left out. */
function reached(network: RouterNetwork, self: SpeakerSelf) {
  const peers = peersOf(network).map((peer) => ({ ...peer, local: addressOf(self, isSix(peer.address)) }));
  return {
    peers: peers.flatMap(({ local, ...peer }) => (local === null ? [] : [{ ...peer, local }])),
    leftOut: peers
      .filter(({ local }) => local === null)
      .map((peer) => `# ${nameOf(peer)} is left out: this host has no address of the family of ${peer.address}.`),
  };
}

/** exabgpSpeaker returns exabgp.conf for ExaBGP 4. It contains the routes, so stopping ExaBGP withdraws them. */
export function exabgpSpeaker(network: RouterNetwork, self: SpeakerSelf): string {
  const { asn, holdSeconds, hasPassword, nearOnly, preference, med = 0, communities } = network;
  const like = [
    `local-preference ${preference}`,
    ...(med > 0 ? [`med ${med}`] : []),
    ...(communities.length > 0 ? [`community [ ${communities.join(" ")} ]`] : []),
  ];
  const routes = network.services.flatMap((prefix) => {
    const hop = addressOf(self, isSix(prefix));
    return hop === null ? [] : [`    route ${prefix} next-hop ${hop} ${like.join(" ")};`];
  });
  const { peers, leftOut } = reached(network, self);
  return [
    ...leftOut,
    ...peers.flatMap((peer) => [
      `neighbor ${peer.address} { # ${nameOf(peer)}`,
      `  router-id ${routerIdOf(self.address)};`,
      `  local-address ${peer.local};`,
      `  local-as ${asn};`,
      `  peer-as ${peer.asn};`,
      `  hold-time ${holdSeconds};`,
      ...(hasPassword ? [`  md5-password "${passwordToFill}";`] : []),
      ...(nearOnly ? ["  outgoing-ttl 255;"] : []),
      "  family { ipv4 unicast; ipv6 unicast; }",
      "  static {",
      ...routes,
      "  }",
      "}",
    ]),
    "",
  ].join("\n");
}

/** gobgpSpeaker returns gobgpd's configuration. Routes are added with the gobgp commands in its last lines, with the same origin as those of balancers. */
export function gobgpSpeaker(network: RouterNetwork, self: SpeakerSelf): string {
  const { asn, holdSeconds, hasPassword, nearOnly, preference, med = 0, communities } = network;
  const like = [
    `origin igp local-pref ${preference}`,
    ...(med > 0 ? [`med ${med}`] : []),
    ...(communities.length > 0 ? [`community ${communities.join(",")}`] : []),
  ].join(" ");
  const offers = network.services.flatMap((prefix) => {
    const hop = addressOf(self, isSix(prefix));
    return hop === null ? [] : [`# gobgp global rib add ${prefix} nexthop ${hop} ${like} -a ipv${familyOf(prefix)}`];
  });
  const { peers, leftOut } = reached(network, self);
  return [
    "[global.config]",
    `  as = ${asn}`,
    `  router-id = "${routerIdOf(self.address)}"`,
    "  port = -1",
    ...leftOut,
    ...peers.flatMap((peer) => [
      "",
      `[[neighbors]] # ${nameOf(peer)}`,
      "  [neighbors.config]",
      `    neighbor-address = "${peer.address}"`,
      `    peer-as = ${peer.asn}`,
      ...(hasPassword ? [`    auth-password = "${passwordToFill}"`] : []),
      "  [neighbors.transport.config]",
      `    local-address = "${peer.local}"`,
      "  [neighbors.timers.config]",
      `    hold-time = ${holdSeconds}`,
      `    keepalive-interval = ${keepaliveOf(network)}`,
      "    connect-retry = 2",
      ...(nearOnly ? ["  [neighbors.ttl-security.config]", "    enabled = true", "    ttl-min = 255"] : []),
      ...["ipv4-unicast", "ipv6-unicast"].flatMap((family) => [
        "  [[neighbors.afi-safis]]",
        "    [neighbors.afi-safis.config]",
        `      afi-safi-name = "${family}"`,
      ]),
    ]),
    "",
    "# Once gobgpd runs, these commands offer the services:",
    ...offers,
    "",
  ].join("\n");
}
