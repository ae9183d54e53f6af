import { type Family, familyOf, isSix } from "../../address/family.ts";

/** RouterNetwork is the input of a third-party router's configuration. It contains no secrets. */
export type RouterNetwork = {
  /** The AS of the balancers and their reflectors. */
  asn: number;
  /** The reflectors to which balancers announce; without any they announce to the routers directly. */
  reflectors: RouterPeer[];
  routers: UpstreamRouter[];
  /** Networks that balancers connect from. */
  balancers: string[];
  /** The current balancers, for routers that don't support dynamic peers. */
  speakers: RouterPeer[];
  /** The prefixes that may be routed, with all more specific ones. */
  services: string[];
  /** LOCAL_PREF; like MED and communities, of the routes that balancers offer. */
  preference: number;
  med?: number | undefined;
  communities: string[];
  holdSeconds: number;
  /** Absent: a third of the hold time. */
  keepaliveSeconds?: number | undefined;
  /** Whether sessions use the cluster's password. */
  hasPassword: boolean;
  /** Whether packets that crossed another router are dropped (GTSM). */
  nearOnly: boolean;
  detection: { intervalMs: number; multiplier: number } | null;
  /** The limit of routes per family that a balancer may offer. */
  mostRoutes: number;
  /** The limit of next hops of a prefix. */
  mostNextHops: number;
};

export type RouterPeer = { name: string; address: string };
export type UpstreamRouter = RouterPeer & { asn: number };

/** thirdOf is the keepalive interval that RFC 4271 recommends for the hold time. */
export const thirdOf = ({ holdSeconds }: RouterNetwork): number => Math.floor(holdSeconds / 3);

/** keepaliveOf is the cluster's keepalive interval; by default a third of the hold time. */
export const keepaliveOf = (network: RouterNetwork): number => network.keepaliveSeconds ?? thirdOf(network);

export const servicesOf = ({ services }: RouterNetwork, family: Family): string[] =>
  services.filter((prefix) => familyOf(prefix) === family);

/** isDirect reports whether balancers announce to routers directly. */
export const isDirect = ({ reflectors }: RouterNetwork): boolean => reflectors.length === 0;

/** isInternal reports whether router and balancers are in one AS. */
export const isInternal = ({ asn }: RouterNetwork, router: { asn: number }): boolean => asn === router.asn;

/** passwordToFill is the placeholder for the password, which is never shown. */
export const passwordToFill = "REPLACE-WITH-THE-PASSWORD";

/** nameOf is a peer's name in a form that any router accepts: other characters could inject lines into the configuration. */
export const nameOf = ({ name }: RouterPeer): string => name.replaceAll(/[^A-Za-z0-9._-]+/g, "-");

/** routerIdOf is a router ID, which has the form of an IPv4 address. For an IPv6 address it is a hash, always the same for the same address. */
export function routerIdOf(address: string): string {
  if (!isSix(address)) return address;
  let hash = 0x81_1c_9d_c5; // FNV-1a, of 32 bits
  for (const letter of address) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01_00_01_93) >>> 0;
  // The first byte is that of a valid host address: 1 to 126.
  return [((hash >>> 24) % 126) + 1, (hash >>> 16) & 255, (hash >>> 8) & 255, hash & 255].join(".");
}
