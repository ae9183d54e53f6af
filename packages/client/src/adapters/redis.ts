import type { Endpoint } from "../map/address.ts";
import { parseEndpoint } from "../map/address.ts";
import type { AddressMapper } from "../mapper/address-mapper.ts";

/**
 * natMapOf is the `natMap` of an ioredis Cluster (5.5 or newer). ioredis calls it for every node that the cluster
 * announces, each time, so changes of the map take effect. If it returns null, ioredis dials the announced address.
 */
export function natMapOf(mapper: Pick<AddressMapper, "map">): (key: string) => Endpoint | null {
  return (key) => {
    const announced = parseEndpoint(key);
    const found = announced && mapper.map(announced.host, announced.port);
    return found && { host: found.host, port: found.port };
  };
}

/** nodeAddressMapOf is the `nodeAddressMap` of a node-redis cluster (`createCluster`). */
export function nodeAddressMapOf(mapper: Pick<AddressMapper, "map">): (address: string) => Endpoint | undefined {
  const natMap = natMapOf(mapper);
  return (address) => natMap(address) ?? undefined;
}
