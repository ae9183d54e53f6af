/** Who has an address so far, in one of the places that have to lead to its replica. */
export type Holder =
  | { type: "nobody" }
  /** astray: it leads to the interface, but not to the address there; fixed: it is the interface's own for life. */
  | { type: "interface"; id: string; astray?: boolean; fixed?: boolean }
  /** The place itself is no more, or not to be seen with this key. */
  | { type: "lost" }
  /** Something that isn't a network interface, in words. */
  | { type: "other"; name: string };

export type Holding = { address: string; place: string; holder: Holder };

/** Way is one kind of thing in a VPC that leads to network interfaces. */
export type Way = {
  /** AWS must not compare what arrives at an interface with the interface's own addresses. */
  needsUnchecked: boolean;
  /** read answers one holding for each place of each address. */
  read: (addresses: readonly string[]) => Promise<Holding[]>;
  /** point moves what is ours, or nobody's: whoever calls it has made sure of that. */
  point: (holding: Holding, interfaceId: string) => Promise<void>;
  release: (holding: Holding) => Promise<void>;
};
