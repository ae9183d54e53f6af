import { type LookupAddress, type LookupOptions, lookup as systemLookup } from "node:dns";
import { isIP } from "node:net";
import { MapError } from "../errors.ts";
import { formatEndpoint } from "../map/address.ts";
import type { AddressMapper } from "../mapper/address-mapper.ts";

type Done = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;
type Lookup = (hostname: string, options: LookupOptions, done: Done) => void;

/**
 * lookupFor is a `lookup` for net, tls and the agents of http. It is asked about names only, never about addresses, and
 * can't change a port: it fits where servers announce names (see `namesOf`) and the port is the same outside. In all
 * other cases take connectFor().
 */
export function lookupFor(mapper: Pick<AddressMapper, "map">, port: number): Lookup {
  return (hostname, options, done) => {
    const found = mapper.map(hostname, port);
    if (!found) {
      fail(done, `${formatEndpoint({ host: hostname, port })} has no external address in the map.`);
      return;
    }
    if (found.port !== port) {
      fail(done, `${hostname} listens on port ${found.port} outside, not on ${port}: connect with connectFor().`);
      return;
    }
    const family = isIP(found.host);
    if (family === 0) systemLookup(found.host, options, done);
    else if (options.all) setImmediate(done, null, [{ address: found.host, family }]);
    else setImmediate(done, null, found.host, family);
  };
}

function fail(done: Done, message: string): void {
  setImmediate(done, Object.assign(new MapError("unknown-address", message), { code: "ENOTFOUND" }), "", 0);
}
