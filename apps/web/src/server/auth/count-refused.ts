import type { Db } from "@fairlead/db";
import {
  countRefusedByProvider,
  countRefusedPassword,
  type RefusedByProvider,
  type RefusedPassword,
} from "@fairlead/services";
import { log } from "../log.ts";
import { metrics } from "../metrics.ts";

/** countPassword counts a refused password in the metrics, and in the audit of the user's organisations. */
export function countPassword(db: Db, refused: RefusedPassword): void {
  metrics().refusedSignIns.add({ method: "password", reason: refused.reason });
  inBackground(countRefusedPassword(db, refused, new Date()));
}

/** countByProvider counts a refused sign-in with a provider in the metrics, and in the audit of its organisation. */
export function countByProvider(db: Db, refused: RefusedByProvider): void {
  metrics().refusedSignIns.add({ method: "provider", reason: refused.reason });
  inBackground(countRefusedByProvider(db, refused, new Date()));
}

/** The response does not wait: the time that it takes must not reveal whether there is an entry to write. */
function inBackground(work: Promise<void>): void {
  work.catch((error: unknown) => log.error("fault", { operation: "audit of sign-ins", err: error }));
}
