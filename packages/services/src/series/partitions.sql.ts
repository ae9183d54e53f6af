import { type Db, inTransaction, Prisma, type Tx } from "@fairlead/db";
import type { Resolution } from "@fairlead/domain/series";
import { isOutlived, type Partition, parsePartition, partitionOf, tables } from "./partitioned-table.ts";

const partitionLock = "fairlead.partitions";
const hourMs = 3_600_000;

/** The resolution that each table's rows are rolled up into, before they may be dropped. */
const rolledInto = { sample: "minute", sample_minute: "hour", sample_hour: "" } as const;

/**
 * Partitions creates the partitions that samples are about to need, and caches which exist so that the hot path makes
 * no query. There is no default partition: its rows would block creating the partition they belong to.
 */
export class Partitions {
  readonly #known = new Set<string>();

  /** ensure creates what is missing. Several processes may do so at once. */
  async ensure(db: Db, partitions: readonly Partition[]): Promise<void> {
    const unknown = partitions.filter((each) => !this.#known.has(each.name));
    if (unknown.length === 0) return;
    await inTransaction(db, async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${partitionLock}))`;
      const existing = new Set(await attachedNames(tx, "sample%"));
      for (const partition of unknown) if (!existing.has(partition.name)) await create(tx, partition);
    });
    for (const { name } of unknown) this.#known.add(name);
  }

  /** ensureFor is ensure for the moments of a batch. No partition is finer than an hour, so hours are enough. */
  async ensureFor(db: Db, resolution: Resolution, atMs: readonly number[]): Promise<void> {
    const hours = new Set<number>();
    for (const at of atMs) hours.add(Math.floor(at / hourMs));
    const partitions = Array.from(hours, (hour) => partitionOf(tables[resolution], new Date(hour * hourMs)));
    await this.ensure(db, [...new Map(partitions.map((each) => [each.name, each])).values()]);
  }

  /** forgetAll clears the cache after an insert found no partition: one was dropped meanwhile. */
  forgetAll(): void {
    this.#known.clear();
  }

  /** dropOutlived drops what is past its retention, except raw samples that are not rolled up yet. */
  async dropOutlived(db: Db, now: Date): Promise<string[]> {
    const dropped: string[] = [];
    for (const [resolution, table] of Object.entries(tables)) {
      for (const name of await attachedNames(db, `${table.name}_%`)) {
        const partition = parsePartition(table, name);
        if (!partition || !isOutlived(partition, resolution as Resolution, now)) continue;
        if (await drop(db, partition)) dropped.push(name);
        this.#known.delete(name);
      }
    }
    return dropped;
  }
}

async function attachedNames(tx: Tx, pattern: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ name: string }[]>`
    SELECT c.relname AS name FROM pg_inherits i
    JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
    WHERE c.relname LIKE ${pattern} AND p.relkind = 'p' AND c.relkind = 'r' AND p.relnamespace = current_schema()::regnamespace
    ORDER BY 1`;
  return rows.map((row) => row.name);
}

/** Attached rather than created in place: attaching does not block reads and writes of the table. */
async function create(tx: Tx, partition: Partition): Promise<void> {
  const { name, table, from, to } = partition;
  await tx.$executeRaw`${Prisma.raw(`DROP TABLE IF EXISTS "${name}"`)}`;
  await tx.$executeRaw`${Prisma.raw(`CREATE TABLE "${name}" (LIKE "${table.name}" INCLUDING ALL)`)}`;
  await tx.$executeRaw`${Prisma.raw(
    `ALTER TABLE "${table.name}" ATTACH PARTITION "${name}" FOR VALUES FROM ('${from.toISOString()}') TO ('${to.toISOString()}')`,
  )}`;
}

async function drop(db: Db, partition: Partition): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const { name, table, from, to } = partition;
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${partitionLock}))`;
    const waiting = await tx.$queryRaw<object[]>`
      SELECT 1 FROM rollup_task
      WHERE resolution = ${rolledInto[table.name]} AND bucket_at >= ${from} AND bucket_at < ${to} LIMIT 1`;
    if (waiting.length > 0) return false;
    // Dropping blocks the table while it waits for running queries, so it gives up soon and is retried later.
    await tx.$executeRaw`SET LOCAL lock_timeout = '1s'`;
    await tx.$executeRaw`${Prisma.raw(`DROP TABLE IF EXISTS "${name}"`)}`;
    return true;
  });
}
