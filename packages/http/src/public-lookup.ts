import dns from "node:dns";
import type { LookupFunction } from "node:net";

/** NotPublic means that a user-supplied name resolves to a network that only the control plane reaches. */
export class NotPublic extends Error {
  constructor() {
    super("a name resolves to an address that is not public");
    this.name = "NotPublic";
  }
}

/**
 * publicLookup resolves names to public addresses only. It runs for each connection, so that a name that resolved elsewhere when
 * it was checked gains nothing.
 */
export function publicLookup(isPublic: (address: string) => boolean): LookupFunction {
  return (host, options, callback) => {
    dns.lookup(host, { ...options, all: true }, (error, found) => {
      const [first] = found ?? [];
      if (error || !first) callback(error ?? new Error("the name can't be resolved"), "");
      else if (found.some(({ address }) => !isPublic(address))) callback(new NotPublic(), "");
      else if (options.all) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}
