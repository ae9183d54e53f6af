import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { createTestExposure, createTestNode, createTestOrganization } from "../testing/index.ts";
import { getExposure } from "./index.ts";

let database: TestDatabase;
let ctx: ServiceContext;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = await createTestOrganization(database.db);
});
afterAll(() => database.drop());

it("has as many peers of each node as fit into an answer, those without figures first", async () => {
  const { db, now } = ctx;
  const { cluster, pool, exposure } = await createTestExposure(ctx);
  await db.exposure.update({
    where: { id: exposure.id },
    data: { strategy: "adaptive", parameters: { poolId: pool.id } },
  });
  const peers = Array.from({ length: 2_001 }, (_, index) => ({
    ...{ nodeId: `node-${index}`, isExchanging: index < 2_000, roundTripMs: index },
  }));
  for (const name of ["node-1", "node-2"]) {
    const { agentId } = await createTestNode(ctx, cluster.id, { name, roles: ["adaptive"] });
    await db.adaptiveStatus.create({ data: { agentId, peers, observedAt: now } });
  }
  const { adaptive } = await getExposure(ctx, exposure.id);
  expect(adaptive?.nodes.map((each) => [each.nodeName, each.peers.length])).toEqual([
    ["node-1", 2_000],
    ["node-2", 2_000],
  ]);
  for (const { peers } of adaptive?.nodes ?? [])
    expect([peers[0]?.nodeId, peers.at(-1)?.nodeId]).toEqual(["node-2000", "node-1998"]);
});
