import { createHash } from "node:crypto";
import { type Db, inTransaction } from "@fairlead/db";
import { subscriberOf } from "@fairlead/domain/address";
import { addToCounted, type CountedRefusal, lockOrigins, readOrigins } from "./counted-entry.sql.ts";
import { minuteOf, type Occurrences } from "./refusal-queue.ts";

/** How many subscribers have an entry of their own, for one object and reason in one minute. Others share an entry. */
const mostOrigins = 10;

/**
 * countRefusal counts refusals with the same reason in one audit entry a minute, so that clients can't fill the table.
 */
export async function countRefusal(db: Db, refusal: CountedRefusal, occurrences: Occurrences): Promise<void> {
  const { organizationId, action, subject, reason, details, address } = refusal;
  const minute = minuteOf(occurrences.first);
  const kind = [organizationId, action, subject.id, reason, details?.method ?? "", minute].join(" ");
  const keyOf = (origin: string) => createHash("sha256").update(`${kind} ${origin}`).digest("base64url");
  if (!refusal.bySubscriber) {
    await addToCounted(db, { ...refusal, countKey: keyOf("all") }, occurrences);
    return;
  }
  const own = keyOf(address ? subscriberOf(address) : "unknown");
  const others = keyOf("others");
  await inTransaction(db, async (tx) => {
    // Otherwise, processes that count at the same moment would each find room for one more subscriber.
    await lockOrigins(tx, kind);
    const { hasOwn, count } = await readOrigins(tx, refusal, { own, others, minute });
    const entry = hasOwn || count < mostOrigins ? { countKey: own, address } : { countKey: others, address: null };
    await addToCounted(tx, { ...refusal, ...entry }, occurrences);
  });
}
