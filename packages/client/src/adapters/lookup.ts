import { type LookupAddress, type LookupOptions, lookup as systemLookup } from "node:dns";
import { isIP } from "node:net";
import { MapError } from "../errors.ts";
import { formatEndpoint } from "../map/address.ts";
import type { AddressMapper } from "../mapper/address-mapper.ts";

type Done = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;
type Lookup = (hostname: string, options: LookupOptions, done: Done) => void;

/**
 * lookupFor is a `lookup` function for net, tls and HTTP agents. Node calls it for names only, never for addresses, and it
 * can't change a port. Use it where servers announce names (see `namesOf`) and internal and external ports are equal;
 * in all other cases use connectFor().
 */
export function lookupFor(mapper: Pick<AddressMapper, "map">, port: number): Lookup {
  return (hostname, options, done) => {
    const found = mapper.map(hostname, port);
    if (!found) {
      fail(done, `${formatEndpoint({ host: hostname, port })} has no external address in the map.`);
      return;
    }
    if (found.port !== port) {
      fail(done, `${hostname} has external port ${found.port}, not ${port}: connect with connectFor().`);
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
