import { type Db, inTransaction, type Tx } from "@fairlead/db";
import { type Hours, hourOf, startOfHour } from "@fairlead/domain/cost";
import { meterHours, refreshSubjects } from "./meter-hours.sql.ts";

// Only one process meters an hour at a time: two would only wait for each other's rows. Due hours are locked by their
// tasks; this lock is for the attributes of balancers, and for the current hour, which has no task yet.
const meterLock = "fairlead.usage";
const hourMs = 3_600_000;
/** An hour's roll-up comes this long after its end; a later roll-up requests the hour again. */
const pauseMs = 90_000;
const turns = 48;
/**
 * How many hours are metered in one transaction: for ten thousand balancers that takes a few seconds, and each
 * balancer's rows are stored together.
 */
const hoursTogether = 72;
/** With so many, the database is the cause, and further attempts would only take time. */
const mostFailures = 20;
/** How many such spans are metered in parallel, because PostgreSQL has a processor for each. */
const atOnce = 2;

/** requestUsage requests an hour to be metered: it ended, or late samples of it were rolled up. */
export async function requestUsage(tx: Tx, at: Date, dueAt: Date): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO usage_task (hour, due_at) VALUES (${hourOf(at)}, ${dueAt}) ON CONFLICT (hour) DO NOTHING`;
}

/** requestUsageOf requests hours to be recalculated, when a user doubts the result. */
export async function requestUsageOf(tx: Tx, { from, to }: Hours, now: Date): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO usage_task (hour, due_at) SELECT hour, ${now} FROM generate_series(${from}::int, ${to}::int - 1) AS hour
    ON CONFLICT (hour) DO UPDATE SET due_at = least(usage_task.due_at, excluded.due_at)`;
}

/**
 * meterDue meters the hours that are due, and the current one so far, so that a deleted balancer loses a few minutes at
 * most. It returns how many rows changed.
 */
export async function meterDue(db: Db, now: Date): Promise<number> {
  let changed = 0;
  const failures: unknown[] = [];
  for (let turn = 0, from = 0; turn < turns; turn++) {
    const metered = await meterNext(db, from, now);
    if (metered === null) break;
    changed += metered.changed;
    failures.push(...metered.failures);
    // An hour that fails is tried again the next time. It must not keep later ones from being metered.
    if (metered.failures.length > 0) from = metered.to;
  }
  const hour = hourOf(now);
  changed += await alone(db, async (tx) => {
    await refreshSubjects(tx, now);
    if ((await tx.usageTask.count()) === 0) await follow(tx, hour);
    return meterHours(tx, { from: hour, to: hour + 1, source: "minute" }, now);
  });
  if (failures.length > 0) throw failures[0];
  return changed;
}

type Metered = { changed: number; to: number; failures: unknown[] };

/** meterNext meters the first due hours, consecutive ones together; null when there are none, or others meter them. */
async function meterNext(db: Db, from: number, now: Date): Promise<Metered | null> {
  const due = await db.$queryRaw<{ hour: number }[]>`
    SELECT hour FROM usage_task WHERE due_at <= ${now} AND hour >= ${from}::int ORDER BY hour LIMIT ${hoursTogether * atOnce}`;
  const [first] = due;
  if (!first) return null;
  const run = due.filter(({ hour }, index) => hour === first.hour + index);
  const isAlone = await alone(db, async (tx) => {
    await refreshSubjects(tx, now);
    return 1;
  });
  if (!isAlone) return null;
  const to = first.hour + run.length;
  const failures: unknown[] = [];
  const parts = partsOf({ from: first.hour, to }).map((part) => meterPart(db, part, failures, now));
  const changed = (await Promise.all(parts)).filter((each) => each !== null);
  if (changed.length === 0 && failures.length === 0) return null;
  return { changed: changed.reduce((sum, each) => sum + each, 0), to, failures };
}

/**
 * meterPart meters hours and deletes their tasks in one transaction, so that what is metered stays metered, whatever
 * happens to other hours. Hours that fail together, because they take longer than a transaction may, are halved: the
 * same part would fail forever. It adds the error of each single hour that fails to the failures, and returns null if another
 * process meters them.
 */
async function meterPart(db: Db, part: Hours, failures: unknown[], now: Date): Promise<number | null> {
  const { from, to } = part;
  if (failures.length >= mostFailures) return null;
  try {
    return await inTransaction(db, async (tx) => {
      const taken = await tx.$queryRaw<{ hour: number }[]>`
        SELECT hour FROM usage_task WHERE hour >= ${from}::int AND hour < ${to}::int ORDER BY hour FOR UPDATE SKIP LOCKED`;
      if (taken.length < to - from) return null;
      await follow(tx, to);
      await tx.usageTask.deleteMany({ where: { hour: { gte: from, lt: to } } });
      return meterHours(tx, { ...part, source: "hour" }, now);
    });
  } catch (error) {
    if (to - from === 1) {
      failures.push(error);
      return null;
    }
    const middle = Math.ceil((from + to) / 2);
    const earlier = await meterPart(db, { from, to: middle }, failures, now);
    const later = await meterPart(db, { from: middle, to }, failures, now);
    return earlier === null && later === null ? null : (earlier ?? 0) + (later ?? 0);
  }
}

/** partsOf splits hours into parts that are metered in parallel; a few hours stay together. */
function partsOf({ from, to }: Hours): Hours[] {
  if (to - from < 2 * atOnce) return [{ from, to }];
  const middle = Math.ceil((from + to) / 2);
  return [
    { from, to: middle },
    { from: middle, to },
  ];
}

/**
 * follow requests the next hour once it ends. One task is always ahead of all others, so that no hour is skipped,
 * however long no controller ran.
 */
async function follow(tx: Tx, hour: number): Promise<void> {
  const dueAt = new Date(startOfHour(hour).getTime() + hourMs + pauseMs);
  await tx.$executeRaw`
    INSERT INTO usage_task (hour, due_at) SELECT ${hour}::int, ${dueAt}
    WHERE NOT EXISTS (SELECT 1 FROM usage_task WHERE hour >= ${hour}) ON CONFLICT (hour) DO NOTHING`;
}

async function alone(db: Db, work: (tx: Tx) => Promise<number>): Promise<number> {
  return inTransaction(db, async (tx) => {
    const [lock] = await tx.$queryRaw<{ got: boolean }[]>`
      SELECT pg_try_advisory_xact_lock(hashtext(${meterLock})) AS got`;
    return lock?.got ? work(tx) : 0;
  });
}
