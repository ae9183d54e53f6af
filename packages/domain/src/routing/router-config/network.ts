import { type Family, familyOf, isSix } from "../../address/family.ts";

/** RouterNetwork is what a configuration of somebody else's router is made from. No secret is part of it. */
export type RouterNetwork = {
  /** Of the balancers and their reflectors. */
  asn: number;
  /** Whom balancers tell; without any they tell the routers themselves. */
  reflectors: RouterPeer[];
  routers: UpstreamRouter[];
  /** Where balancers call from. */
  balancers: string[];
  /** The balancers of now, for software that lets nobody call whom it can't name. */
  speakers: RouterPeer[];
  /** What may be routed, and all that lies inside. */
  services: string[];
  /** LOCAL_PREF, MED and communities of what balancers offer. */
  preference: number;
  med?: number | undefined;
  communities: string[];
  holdSeconds: number;
  /** Absent: a third of the hold time. */
  keepaliveSeconds?: number | undefined;
  /** Peers answer only to the password that the cluster has. */
  hasPassword: boolean;
  /** Nothing that crossed another router is heard. */
  nearOnly: boolean;
  detection: { intervalMs: number; multiplier: number } | null;
  /** Of each family, that one balancer may offer. */
  mostRoutes: number;
  /** How many ways a prefix may go by. */
  mostNextHops: number;
};

export type RouterPeer = { name: string; address: string };
export type UpstreamRouter = RouterPeer & { asn: number };

/** thirdOf is how often a sign of life is due within the hold time, as the protocol advises. */
export const thirdOf = ({ holdSeconds }: RouterNetwork): number => Math.floor(holdSeconds / 3);

/** keepaliveOf is what the cluster says, else a third of the hold time. */
export const keepaliveOf = (network: RouterNetwork): number => network.keepaliveSeconds ?? thirdOf(network);

export const servicesOf = ({ services }: RouterNetwork, family: Family): string[] =>
  services.filter((prefix) => familyOf(prefix) === family);

/** isDirect says that balancers tell routers themselves. */
export const isDirect = ({ reflectors }: RouterNetwork): boolean => reflectors.length === 0;

/** isInternal says whether router and balancers are one AS. */
export const isInternal = ({ asn }: RouterNetwork, router: { asn: number }): boolean => asn === router.asn;

/** passwordToFill stands where a person writes the password, which is never shown. */
export const passwordToFill = "REPLACE-WITH-THE-PASSWORD";

/** nameOf is a peer's name as any router takes it: what isn't plain could be a line of its own in the text. */
export const nameOf = ({ name }: RouterPeer): string => name.replaceAll(/[^A-Za-z0-9._-]+/g, "-");

/** routerIdOf is a router ID, which is of IPv4 also where the address isn't: then one that the same address has always. */
export function routerIdOf(address: string): string {
  if (!isSix(address)) return address;
  let hash = 0x81_1c_9d_c5; // FNV-1a, of 32 bits
  for (const letter of address) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01_00_01_93) >>> 0;
  // The first byte is one of an address that a host may have: 1 to 126.
  return [((hash >>> 24) % 126) + 1, (hash >>> 16) & 255, (hash >>> 8) & 255, hash & 255].join(".");
}
