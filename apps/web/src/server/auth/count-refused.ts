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
  countRefusedPassword(db, refused, new Date(), logFault);
}

/** countByProvider counts a refused sign-in with a provider in the metrics, and in the audit of its organisation. */
export function countByProvider(db: Db, refused: RefusedByProvider): void {
  countUnstarted(refused.reason);
  countRefusedByProvider(db, refused, new Date(), logFault);
}

/** countUnstarted counts a refusal only in the metrics: any client can call back without having started a sign-in. */
export function countUnstarted(reason: RefusedByProvider["reason"]): void {
  metrics().refusedSignIns.add({ method: "provider", reason });
}

/** The response has not waited: the time that it takes must not reveal whether there is an entry to write. */
function logFault(err: unknown): void {
  log.error("fault", { operation: "audit of sign-ins", err });
}
