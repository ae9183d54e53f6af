import { createHash } from "node:crypto";
import type { Db } from "@fairlead/db";
import { subscriberOf } from "@fairlead/domain/address";
import { addToCounted, type CountedRefusal, selectOrigins } from "./counted-entry.sql.ts";

const minuteMs = 60_000;
/** How many subscribers have an entry of their own, for one object in one minute. Others share an entry. */
const mostOrigins = 10;

/** Refusals that arrived while an entry was written, by the key of the entry. */
const waiting = new Map<string, number>();

/**
 * countRefusal counts refusals with the same reason in one audit entry a minute, so that clients can't fill the table. Those
 * that arrive while the entry is written are added to it at once afterwards: a flood costs one connection, not one for each.
 */
export async function countRefusal(db: Db, refusal: CountedRefusal, now: Date): Promise<void> {
  const { countKey, address } = await originOf(db, refusal, now);
  const others = waiting.get(countKey);
  if (others !== undefined) {
    waiting.set(countKey, others + 1);
    return;
  }
  waiting.set(countKey, 0);
  try {
    let count = 1;
    while (count > 0) {
      await addToCounted(db, { ...refusal, address, countKey }, count, now);
      count = waiting.get(countKey) ?? 0;
      waiting.set(countKey, 0);
    }
  } finally {
    waiting.delete(countKey);
  }
}

/** originOf returns the entry that counts a refusal, and the address that it names. */
async function originOf(
  db: Db,
  refusal: CountedRefusal,
  now: Date,
): Promise<{ countKey: string; address: string | null }> {
  const { organizationId, action, subject, reason, address } = refusal;
  const minute = Math.floor(now.getTime() / minuteMs);
  const keyOf = (origin: string) =>
    createHash("sha256")
      .update([organizationId, action, subject.id, reason, minute, origin].join(" "))
      .digest("base64url");
  if (!refusal.bySubscriber) return { countKey: keyOf("all"), address };
  const own = keyOf(address ? subscriberOf(address) : "unknown");
  const since = new Date(minute * minuteMs);
  const origins = await selectOrigins(db, { organizationId, action, subjectId: subject.id, since }, mostOrigins);
  const isOwn = origins.includes(own) || origins.length < mostOrigins;
  return isOwn ? { countKey: own, address } : { countKey: keyOf("others"), address: null };
}
