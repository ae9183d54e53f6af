import { type Db, inTransaction, type Tx } from "@fairlead/db";
import { type Hours, hourOf, startOfHour } from "@fairlead/domain/cost";
import { meterHours, refreshSubjects } from "./meter-hours.sql.ts";

// Only one process meters at a time: two would only wait for each other's rows.
const meterLock = "fairlead.usage";
const hourMs = 3_600_000;
/** The roll-up of an hour comes so long after its end, and asks again for the hour if it comes later. */
const pauseMs = 90_000;
const turns = 48;
/** So many hours are metered in one transaction: of ten thousand balancers that takes a few seconds, and each of them has its rows side by side. */
const hoursTogether = 72;
/** So many of these are metered side by side, for PostgreSQL has a processor for each. */
const atOnce = 2;

/** askUsage notes that an hour is to be metered: it ended, or late samples of it were rolled up. */
export async function askUsage(tx: Tx, at: Date, dueAt: Date): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO usage_task (hour, due_at) VALUES (${hourOf(at)}, ${dueAt}) ON CONFLICT (hour) DO NOTHING`;
}

/** askUsageOf has hours metered anew, for whoever doubts what was metered. */
export async function askUsageOf(tx: Tx, { from, to }: Hours, now: Date): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO usage_task (hour, due_at) SELECT hour, ${now} FROM generate_series(${from}::int, ${to}::int - 1) AS hour
    ON CONFLICT (hour) DO UPDATE SET due_at = least(usage_task.due_at, excluded.due_at)`;
}

/**
 * meterDue meters the hours that are due, and the present one as far as it has come, so that a balancer that goes is
 * missed by a few minutes at most. It answers how many rows that changed.
 */
export async function meterDue(db: Db, now: Date): Promise<number> {
  let changed = 0;
  for (let turn = 0; turn < turns; turn++) {
    const metered = await meterNext(db, now);
    if (metered === null) break;
    changed += metered;
  }
  const hour = hourOf(now);
  changed += await alone(db, async (tx) => {
    await refreshSubjects(tx, now);
    if ((await tx.usageTask.count()) === 0) await follow(tx, hour);
    return meterHours(tx, { from: hour, to: hour + 1, source: "minute" }, now);
  });
  return changed;
}

/** meterNext meters the first hours that are due, those that follow one another together; null when there are none. */
async function meterNext(db: Db, now: Date): Promise<number | null> {
  let isDone = false;
  const changed = await alone(db, async (tx) => {
    const due = await tx.$queryRaw<{ hour: number }[]>`
      SELECT hour FROM usage_task WHERE due_at <= ${now} ORDER BY hour LIMIT ${hoursTogether * atOnce} FOR UPDATE`;
    const [first] = due;
    if (!first) return 0;
    isDone = true;
    const run = due.filter(({ hour }, index) => hour === first.hour + index);
    const span = { from: first.hour, to: first.hour + run.length };
    await tx.usageTask.deleteMany({ where: { hour: { gte: span.from, lt: span.to } } });
    await follow(tx, span.to);
    await refreshSubjects(db, now);
    // Each in a transaction of its own. Should one fail, so does ours: the tasks are still there, and all is metered again.
    const parts = partsOf(span).map((part) =>
      inTransaction(db, (own) => meterHours(own, { ...part, source: "hour" }, now)),
    );
    return (await Promise.all(parts)).reduce((sum, each) => sum + each, 0);
  });
  return isDone ? changed : null;
}

/** partsOf cuts hours into as many parts as are metered side by side; few stay together. */
function partsOf({ from, to }: Hours): Hours[] {
  if (to - from < 2 * atOnce) return [{ from, to }];
  const middle = Math.ceil((from + to) / 2);
  return [
    { from, to: middle },
    { from: middle, to },
  ];
}

/** follow has the next hour metered once it ends. One task is always ahead of all others, so that no hour is left out, however long nobody was here. */
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
