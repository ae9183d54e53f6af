import type { Endpoint } from "../map/address.ts";
import { parseEndpoint } from "../map/address.ts";
import type { AddressMapper } from "../mapper/address-mapper.ts";

/**
 * natMapOf is the `natMap` of an ioredis Cluster (5.5 or newer). ioredis asks it for every node that a cluster tells of,
 * each time, so it follows a map that changes. Null means that ioredis dials the address as the cluster told it.
 */
export function natMapOf(mapper: Pick<AddressMapper, "map">): (key: string) => Endpoint | null {
  return (key) => {
    const told = parseEndpoint(key);
    const found = told && mapper.map(told.host, told.port);
    return found && { host: found.host, port: found.port };
  };
}

/** nodeAddressMapOf is the `nodeAddressMap` of a node-redis cluster (`createCluster`). */
export function nodeAddressMapOf(mapper: Pick<AddressMapper, "map">): (address: string) => Endpoint | undefined {
  const natMap = natMapOf(mapper);
  return (address) => natMap(address) ?? undefined;
}
