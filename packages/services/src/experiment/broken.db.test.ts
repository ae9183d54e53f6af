import { inTransaction } from "@fairlead/db";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { startExperiment as startExperimentInput } from "@fairlead/domain/experiment";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import {
  createTestCluster,
  createTestNode,
  createTestOrganization,
  createTestRouting,
  insertTestSamples,
} from "../testing/index.ts";
import { getExperiment, lookAtExperiment, readExperimentSeries, startExperiment } from "./index.ts";

let database: TestDatabase;
let ctx: ServiceContext;
let clusterId: string;
/** The node of the clients' agent. */
let nodeId: string;
let id: string;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
  clusterId = (await createTestCluster(ctx)).cluster.id;
  await createTestRouting(ctx, clusterId, 2);
  ({ nodeId } = await createTestNode(ctx, clusterId, { name: "lab", roles: ["lab"] }));
  const spec = { clusterId, changeEverySeconds: 5, durationSeconds: 60, seed: 3 };
  ({ id } = await startExperiment(ctx, startExperimentInput.parse(spec)));
});

const after = (ms: number) => new Date(ctx.now.getTime() + ms);
const look = (ms: number) => inTransaction(ctx.db, (tx) => lookAtExperiment(tx, id, after(ms)));
const broken = async () => (await getExperiment(ctx, id)).brokenConnections;
const series = async (ms: number) => {
  const { broken } = await readExperimentSeries({ ...ctx, now: after(ms) }, { id, maxPoints: 300 });
  return broken?.map(({ at, value }) => [at.getTime() - ctx.now.getTime(), value]) ?? null;
};
const clients = (reported: Record<string, [number, number][]>, subjectId = nodeId) =>
  insertTestSamples(
    ctx,
    Object.entries(reported).map(([client, points]) => ({
      subjectId,
      metric: "connectionsBroken",
      labels: { client, service: "web" },
      points,
    })),
  );

it("counts each client's broken connections since the start, across the restart of a client's counter", async () => {
  await clients({
    one: [
      [-300_000, 90], // silent for a while: what broke since can't be attributed
      [-1_000, 100],
      [9_000, 103],
      [19_000, 2], // its process restarted: two more
      [29_000, 2],
      [39_000, 3],
    ],
    two: [
      [-1_000, 7],
      [9_000, 7],
      [19_000, 8],
    ],
    three: [[19_000, 5]], // the time is unknown, so none of these
  });
  await look(60_000);
  await look(75_000);
  expect(await broken()).toBe(3 + 2 + 1 + 1);
  expect((await series(80_000))?.at(-1)?.[1]).toBe(7);
});

it("reports while it runs, counts nothing twice, and includes late data at the end", async () => {
  await clients({ one: [[-1_000, 0]], late: [[-1_000, 0]] });
  expect(await broken()).toBeNull();
  await clients({ one: [[4_000, 1]] });
  await look(8_000); // not yet: data of the last five seconds may be incomplete
  expect(await broken()).toBeNull();
  await look(10_000);
  await look(10_250);
  expect(await broken()).toBe(1);
  expect((await series(10_250))?.map(([, value]) => value)).toEqual([1]);
  await clients({ one: [[14_000, 1]], late: [[2_000, 4]] });
  await look(20_000);
  expect(await broken()).toBe(1);
  await clients({ one: [[65_000, 3]] }); // soon after the end
  await clients({ one: [[90_000, 50]] }); // long after it
  await look(60_000);
  await look(75_000);
  expect(await broken()).toBe(7);
  const points = await series(100_000);
  expect(points?.at(-1)).toEqual([60_000, 7]);
});

it("has no count where no client reports, whatever clients of other clusters report", async () => {
  const other = (await createTestCluster(ctx, "198.51.100.0/24")).cluster.id;
  const there = await createTestNode(ctx, other, { name: "lab", roles: ["lab"] });
  await clients(
    {
      one: [
        [-1_000, 0],
        [9_000, 5],
      ],
    },
    there.nodeId,
  );
  await look(30_000);
  await look(60_000);
  await look(75_000);
  expect(await broken()).toBeNull();
  expect(await series(80_000)).toBeNull();
});

it("has the same count in a chart of twenty hours, which reads minutes", async () => {
  await ctx.db.experiment.update({ where: { id }, data: { durationSeconds: 72_000 } });
  const everyMs = 600_000;
  const reported = Array.from({ length: 120 }, (_, i): [number, number] => [i * everyMs, i % 50]); // restarts twice
  await clients({ one: reported, two: reported.map(([at, value]) => [at + 1_000, 2 * value]) });
  const points = await series(120 * everyMs);
  expect(points?.length).toBeLessThanOrEqual(300);
  expect(points?.at(-1)?.[1]).toBe(3 * (49 + 49 + 19));
});
