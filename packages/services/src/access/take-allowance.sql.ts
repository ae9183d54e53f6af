import type { Db } from "@fairlead/db";

/** An allowance of so many a minute, refilled evenly, with at most `burst` at once. */
export type Allowance = { name: string; perMinute: number; burst: number };

export type Taken = { taken: true } | { taken: false; retryAfterMs: number };

/**
 * takeAllowance takes `count` from an allowance, or nothing. Only the moment until which it is spent is stored (the
 * generic cell rate algorithm): one small write, exact across processes, and a past moment is the same as no row.
 */
export async function takeAllowance(db: Db, allowance: Allowance, count: number, now: Date): Promise<Taken> {
  const eachMs = 60_000 / allowance.perMinute;
  const cost = Math.ceil(eachMs * count);
  const latest = new Date(now.getTime() + Math.ceil(eachMs * allowance.burst));
  const spent = await db.$executeRaw`
    INSERT INTO allowance AS a (name, spent_until) VALUES (${allowance.name}, ${now}::timestamptz + ${cost} * interval '1 millisecond')
    ON CONFLICT (name) DO UPDATE
    SET spent_until = greatest(a.spent_until, ${now}::timestamptz) + ${cost} * interval '1 millisecond'
    WHERE greatest(a.spent_until, ${now}::timestamptz) + ${cost} * interval '1 millisecond' <= ${latest}::timestamptz`;
  if (spent > 0) return { taken: true };
  const row = await db.allowance.findUnique({ where: { name: allowance.name } });
  const spentUntil = Math.max(row?.spentUntil.getTime() ?? 0, now.getTime());
  return { taken: false, retryAfterMs: Math.max(1, spentUntil + cost - latest.getTime()) };
}

/** restoreAllowance resets an allowance. */
export async function restoreAllowance(db: Db, name: string): Promise<void> {
  await db.allowance.deleteMany({ where: { name } });
}
