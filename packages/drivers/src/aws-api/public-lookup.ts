import dns from "node:dns";
import type { LookupFunction } from "node:net";
import { isPublicAddress } from "@fairlead/domain";

/** LeadsInside says that a name which anybody may write leads to a network that only we reach. */
export class LeadsInside extends Error {
  constructor() {
    super("a name leads to an address that is not on the Internet");
    this.name = "LeadsInside";
  }
}

/**
 * publicLookup finds a server only on the Internet. It is asked for the very connection, so that a name which led
 * elsewhere when it was checked gains nothing.
 */
export const publicLookup: LookupFunction = (host, options, callback) => {
  dns.lookup(host, { ...options, all: true }, (error, found) => {
    const [first] = found ?? [];
    if (error || !first) callback(error ?? new Error("nobody knows the name"), "");
    else if (found.some(({ address }) => !isPublicAddress(address))) callback(new LeadsInside(), "");
    else if (options.all) callback(null, found);
    else callback(null, first.address, first.family);
  });
};
