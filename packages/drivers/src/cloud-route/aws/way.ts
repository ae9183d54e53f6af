/** The current holder of an address, in one of the places that must route to its replica. */
export type Holder =
  | { type: "none" }
  /** astray: it leads to the interface, but to another address of it; fixed: it is the interface's primary address, which can't be moved. */
  | { type: "interface"; id: string; astray?: boolean; fixed?: boolean }
  /** The place doesn't exist, or isn't visible with this key. */
  | { type: "lost" }
  /** Something that isn't a network interface, in words. */
  | { type: "other"; name: string };

export type Holding = { address: string; place: string; holder: Holder };

/** Way is one method of routing addresses to network interfaces in a VPC. */
export type Way = {
  /** AWS must not compare what arrives at an interface with the interface's own addresses. */
  needsUnchecked: boolean;
  /** read returns one holding for each place of each address. */
  read: (addresses: readonly string[]) => Promise<Holding[]>;
  /** point routes an address to an interface. The caller has checked that the address is ours or unused. */
  point: (holding: Holding, interfaceId: string) => Promise<void>;
  release: (holding: Holding) => Promise<void>;
};
