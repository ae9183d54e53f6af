/** RouterNetwork is what a configuration of somebody else's router is made from. No secret is part of it. */
export type RouterNetwork = {
  /** Of the balancers and their reflectors. */
  asn: number;
  router: RouterSelf;
  /** Whom the router talks to: reflectors, or the balancers themselves. */
  peers: RouterPeer[];
  /** Where balancers call from. */
  balancers: string[];
  /** What may be routed, and all that lies inside. */
  services: string[];
  holdSeconds: number;
  /** Peers answer only to the password that the cluster has. */
  hasPassword: boolean;
  /** Nothing that crossed another router is heard. */
  nearOnly: boolean;
  detection: { intervalMs: number; multiplier: number } | null;
  /** How many ways a prefix may go by. */
  mostNextHops: number;
};

export type RouterSelf = { asn: number; id: string };
export type RouterPeer = { name: string; address: string };

/** keepAliveSeconds is a third of the hold time, as the protocol advises. */
export const keepAliveSeconds = ({ holdSeconds }: RouterNetwork): number => Math.floor(holdSeconds / 3);

export const isIPv6 = (prefix: string): boolean => prefix.includes(":");
export const servicesOf = ({ services }: RouterNetwork, family: 4 | 6): string[] =>
  services.filter((prefix) => isIPv6(prefix) === (family === 6));

/** isInternal says whether router and balancers are one AS. */
export const isInternal = ({ asn, router }: RouterNetwork): boolean => asn === router.asn;

/** lengthOf is how long a prefix may be at most. */
export const lengthOf = (family: 4 | 6): number => (family === 4 ? 32 : 128);

/** passwordToFill stands where a person writes the password, which is never shown. */
export const passwordToFill = "REPLACE-WITH-THE-PASSWORD";

/** nameOf is a peer's name as any router takes it: what isn't plain could be a line of its own in the text. */
export const nameOf = ({ name }: RouterPeer): string => name.replaceAll(/[^A-Za-z0-9._-]+/g, "-");
