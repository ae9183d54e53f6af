import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { ServiceContext } from "../context.ts";
import { createTestCluster, createTestOrganization } from "../testing/index.ts";
import { mostUpdates, sweepUpdates, updateRetentionMs } from "./sweep-updates.sql.ts";

let database: TestDatabase;
let ctx: ServiceContext;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = await createTestOrganization(database.db);
});
afterAll(() => database.drop());

/** Updates of a cluster, a second apart, the newest of them now; each took 2 ms to be written. */
async function fill(clusterId: string, count: number, newest = ctx.now): Promise<void> {
  await database.db.$executeRaw`
    INSERT INTO route_update (id, organization_id, cluster_id, prefix, next_hop, is_withdrawal, began_at, steps, phases)
    SELECT ${`upd_${clusterId}_`} || n, ${ctx.organizationId}, ${clusterId}, '192.0.2.0/32'::inet + n % 256, '10.0.0.1',
      n % 2 = 0, ${newest}::timestamptz - n * interval '1 second', '[]', '{"write": 2}'
    FROM generate_series(0, ${count - 1}::int) AS n`;
}

/**
 * How many rows of the table were read and deleted so far. Each connection counts separately, and reports late unless
 * flushed.
 */
async function usage(): Promise<{ read: number; dropped: number }> {
  const { db } = database;
  await Promise.all(
    Array.from({ length: 20 }, () => db.$queryRaw`SELECT pg_stat_force_next_flush()::text, pg_sleep(0.05)::text`),
  );
  const [counted] = await db.$queryRaw<{ read: number; dropped: number }[]>`
    SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 AS read, n_tup_del::float8 AS dropped
    FROM pg_stat_user_tables WHERE relname = 'route_update'`;
  return counted ?? { read: 0, dropped: 0 };
}

const countOf = (clusterId: string) => database.db.routeUpdate.count({ where: { clusterId } });

it.each([
  ["without", async () => {}],
  ["with", async () => void (await database.db.$executeRaw`ANALYZE route_update`)],
])(
  "keeps the newest of each cluster, and reads what it deletes only a few times when there are many at once, %s statistics",
  async (_, analyse) => {
    const { db } = database;
    await db.routeUpdate.deleteMany();
    const busy = (await createTestCluster(ctx)).cluster.id;
    const quiet = (await createTestCluster(ctx)).cluster.id;
    await fill(busy, 100_000);
    await fill(quiet, 5);
    await analyse();
    const before = await usage();
    const dropped = 100_000 - mostUpdates;

    expect(await sweepUpdates(db, ctx.now)).toBe(dropped);
    await vi.waitFor(async () => expect((await usage()).dropped - before.dropped).toBe(dropped), 60_000);
    expect((await usage()).read - before.read).toBeLessThan(300_000);

    expect([await countOf(busy), await countOf(quiet)]).toEqual([mostUpdates, 5]);
    const [oldest] = await db.routeUpdate.findMany({
      where: { clusterId: busy },
      orderBy: { beganAt: "asc" },
      take: 1,
    });
    expect(oldest?.beganAt).toEqual(new Date(ctx.now.getTime() - (mostUpdates - 1) * 1_000));
    const [counted] = await db.$queryRaw<{ count: number }[]>`
    SELECT sum(count)::int AS count FROM route_delay WHERE cluster_id = ${busy} AND phase = 'write'`;
    expect(counted).toEqual({ count: 100_000 - mostUpdates });
    expect(await sweepUpdates(db, ctx.now)).toBe(0);
  },
);

it("deletes old updates, however few there are, and counts them in their hour until that is old too", async () => {
  const { db } = database;
  const { cluster } = await createTestCluster(ctx);
  await fill(cluster.id, 3);
  const later = new Date(ctx.now.getTime() + updateRetentionMs.update);
  const before = await countOf(cluster.id);
  await sweepUpdates(db, new Date(later.getTime() - 500)); // past the second and the third
  expect([before, await countOf(cluster.id)]).toEqual([3, 1]);
  const hours = () => db.routeDelay.findMany({ where: { clusterId: cluster.id }, orderBy: { isWithdrawal: "asc" } });
  expect((await hours()).map((each) => [each.phase, each.isWithdrawal, Number(each.count), each.msMax])).toEqual([
    ["write", false, 1, 2],
    ["write", true, 1, 2],
  ]);
  await sweepUpdates(db, new Date(later.getTime() + 2 * updateRetentionMs.delay));
  expect(await hours()).toEqual([]);
});
