import type { Db } from "@fairlead/db";
import { type AuthenticatedKey, authenticateApiKey, UnknownApiKey } from "@fairlead/services";
import { log } from "./log.ts";
import { metrics } from "./metrics.ts";
import { clientAddressIn } from "./stamp-client-address.ts";

/** authenticateKey identifies an API key, and reports unknown ones, which belong to the audit of no organisation. */
export async function authenticateKey(db: Db, key: string, headers: Headers, now: Date): Promise<AuthenticatedKey> {
  const address = clientAddressIn(headers);
  try {
    const onFault = (err: unknown) => log.error("fault", { operation: "audit of keys", err });
    return await authenticateApiKey(db, key, now, undefined, { address, onFault });
  } catch (error) {
    if (error instanceof UnknownApiKey) reportUnknown(address, now);
    throw error;
  }
}

const logEveryMs = 60_000;
let unreported = 0;
let loggedAt = Number.NEGATIVE_INFINITY;

/** One log line a minute, so that a client can't fill the log. The key is not logged: it may be another system's. */
function reportUnknown(address: string | null, now: Date): void {
  metrics().unknownKeys.add();
  unreported += 1;
  if (now.getTime() - loggedAt < logEveryMs) return;
  log.warn("unknown API key", { address, count: unreported });
  unreported = 0;
  loggedAt = now.getTime();
}
