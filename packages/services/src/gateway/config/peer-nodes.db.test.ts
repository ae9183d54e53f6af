import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createExposure } from "../../exposure/index.ts";
import { createTestClusters, createTestOrganization, testSpec } from "../../testing/index.ts";
import { selectPeerNodes } from "./placed-exposures.sql.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it("includes the replicas in other clusters, whose configs have the address of a peer", async () => {
  const { db } = database;
  const ctx = await createTestOrganization(db);
  const { own, west, pool, agents, serve } = await createTestClusters(ctx);
  const placements = [
    { clusterId: own.id, share: 60 },
    { clusterId: west.id, share: 40 },
  ];
  const { id } = await createExposure(ctx, testSpec(pool, { placements }));
  const nodeOf = async (agentId: string) => (await db.agent.findUniqueOrThrow({ where: { id: agentId } })).nodeId;
  const nodes = { own: await nodeOf(agents.own), west: await nodeOf(agents.west) };
  for (const key of ["own", "west"] as const) {
    const clusterId = { own, west }[key].id;
    await serve(id, clusterId);
    await db.replica.updateMany({
      where: { loadBalancer: { exposureId: id, clusterId } },
      data: { nodeId: nodes[key] },
    });
  }
  expect(await selectPeerNodes(db, [agents.own])).toContain(nodes.west);
  expect(await selectPeerNodes(db, [agents.west])).toContain(nodes.own);
});
