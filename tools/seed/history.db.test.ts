import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import type { ServiceContext } from "@fairlead/services";
import { createTestCluster, createTestNode, createTestOrganization } from "@fairlead/services/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeHistory } from "./history.ts";

let database: TestDatabase;
let ctx: ServiceContext;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  ctx = await createTestOrganization(database.db);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

it("generates history for generated nodes only, and only for supported metrics", async () => {
  const { cluster } = await createTestCluster(ctx);
  const real = await createTestNode(ctx, cluster.id, { name: "real" });
  const invented = await createTestNode(ctx, cluster.id, { name: "invented" });
  const { organizationId } = ctx;
  for (const [subjectId, metric] of [
    [real.nodeId, "cpuUtilizationRatio"],
    [invented.nodeId, "load1"],
  ] as const)
    await database.db.series.create({ data: { organizationId, subjectId, metric, labels: "{}" } });

  await writeHistory(client, database.url, { organizationId, nodeIds: [invented.nodeId], minutes: 3 });

  const { rows } = await client.query(
    `SELECT s.subject_id, s.metric, count(*)::int AS minutes FROM sample_minute m JOIN series s ON s.id = m.series_id
     GROUP BY s.subject_id, s.metric ORDER BY s.metric`,
  );
  expect(rows).toEqual([
    { subject_id: invented.nodeId, metric: "cpuUtilizationRatio", minutes: 3 },
    { subject_id: invented.nodeId, metric: "memoryUsedBytes", minutes: 3 },
  ]);
});
