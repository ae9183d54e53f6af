import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { batchSize } from "../control/in-batches.ts";
import { createTestExposure, createTestNode, createTestOrganization } from "../testing/index.ts";
import { deleteOrphanedSeries } from "./orphans.sql.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it("deletes the series of deleted nodes, balancers and backends, beyond one batch, and no others", async () => {
  const { db } = database;
  const ctx = await createTestOrganization(db);
  const { cluster, exposure } = await createTestExposure(ctx);
  const { nodeId } = await createTestNode(ctx, cluster.id);
  const balancer = await db.loadBalancer.findFirstOrThrow({ where: { exposureId: exposure.id } });
  const now = new Date();
  const old = new Date(now.getTime() - 2 * 3_600_000);
  const add = (subjectId: string, createdAt: Date) =>
    db.series.create({
      data: { organizationId: ctx.organizationId, subjectId, metric: "load1", labels: "{}", createdAt },
    });
  await add(nodeId, old);
  await db.$executeRaw`
    INSERT INTO series (organization_id, subject_id, metric, labels, created_at)
    SELECT ${ctx.organizationId}, 'node_gone', 'load1', n::text, ${old} FROM generate_series(1, ${batchSize + 10}::int) AS n`;
  await add("node_young", now);
  await add(balancer.id, old);
  await add("lb_gone", old);
  await add("bak_gone", old);
  await add("of_another_kind", old);

  expect(await deleteOrphanedSeries(db, now, AbortSignal.abort())).toBe(0);
  expect(await deleteOrphanedSeries(db, now)).toBe(batchSize + 12);
  const left = await db.series.findMany({ orderBy: { id: "asc" } });
  expect(left.map((each) => each.subjectId)).toEqual([nodeId, "node_young", balancer.id, "of_another_kind"]);
});
