import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { batchSize } from "../control/in-batches.ts";
import { sweepRecords } from "../retention/index.ts";
import { createTestCluster, createTestOrganization } from "../testing/index.ts";
import { experimentRetentionMs, mostExperiments } from "./sweep.sql.ts";

let database: TestDatabase;
let ctx: ServiceContext;
let clusterId: string;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
  clusterId = (await createTestCluster(ctx)).cluster.id;
});

const ago = (ms: number) => new Date(ctx.now.getTime() - ms);
const course = {
  changeEverySeconds: 2,
  durationSeconds: 10,
  fewestReplicas: 1,
  seed: 1,
  replicas: [],
  startedBy: "Test",
};

async function create(state: string, startedAt: Date, endedAt: Date | null, steps = 0): Promise<string> {
  const { organizationId } = ctx;
  const id = newId("experiment", ctx.now);
  await ctx.db.experiment.create({ data: { ...course, id, organizationId, clusterId, state, startedAt, endedAt } });
  await ctx.db.$executeRaw`
    INSERT INTO experiment_step (id, organization_id, experiment_id, kind, at, replicas)
    SELECT ${id} || n, ${organizationId}, ${id}, 'observed', ${startedAt}, '{}' FROM generate_series(1, ${steps}::int) AS n`;
  return id;
}

it("deletes experiments that ended long ago with all their steps, and none that is running or recent", async () => {
  const long = ago(experimentRetentionMs + 1);
  await create("finished", long, long, batchSize + 5);
  const kept = [
    await create("running", long, null, 3),
    await create("stopped", long, ago(experimentRetentionMs - 60_000), 3),
  ];
  expect(await sweepRecords(ctx.db, ctx.now)).toBe(batchSize + 6);
  expect(await sweepRecords(ctx.db, ctx.now)).toBe(0);
  const left = await ctx.db.experiment.findMany({ where: { clusterId }, select: { id: true } });
  expect(left.map((each) => each.id).sort()).toEqual(kept.sort());
  expect(await ctx.db.experimentStep.count({ where: { organizationId: ctx.organizationId } })).toBe(6);
});

it("keeps a limited number per cluster, the newest", async () => {
  const { organizationId } = ctx;
  const over = 7;
  const numbers = Array.from({ length: mostExperiments + over }, (_, i) => i);
  await ctx.db.experiment.createMany({
    data: numbers.map((n) => {
      const at = ago(n * 60_000);
      return {
        ...course,
        id: `${clusterId}-${n}`,
        organizationId,
        clusterId,
        state: "stopped",
        startedAt: at,
        endedAt: at,
      };
    }),
  });
  expect(await sweepRecords(ctx.db, ctx.now)).toBe(over);
  const oldest = await ctx.db.experiment.findFirst({ where: { clusterId }, orderBy: { startedAt: "asc" } });
  expect(oldest?.id).toBe(`${clusterId}-${mostExperiments - 1}`);
});
