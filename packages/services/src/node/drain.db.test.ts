import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { createTestCluster, createTestNode, createTestOrganization } from "../testing/index.ts";
import { getNode, listNodes, updateNode } from "./index.ts";

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

/** announcing creates a node whose speaker has these prefixes in these states. */
async function announcing(name: string, states: Record<string, "offered" | "draining" | "withdrawn">): Promise<string> {
  const { nodeId, agentId } = await createTestNode(ctx, clusterId, { name, roles: ["speaker"] });
  const { organizationId, now } = ctx;
  const seen = { organizationId, clusterId, agentId, observedAt: now, stateSince: now, loadBalancerId: "" };
  for (const [prefix, state] of Object.entries(states))
    await ctx.db.announcement.create({
      data: { id: newId("announcement", now), ...seen, prefix, nextHop: "10.0.0.1", state },
    });
  return nodeId;
}

const eventsOf = (nodeId: string) =>
  ctx.db.event.findMany({
    where: { subjectId: nodeId },
    orderBy: { at: "asc" },
    select: { reason: true, severity: true, message: true },
  });

it("drains a node and puts it back, each recorded once", async () => {
  const nodeId = await announcing("node-1", { "192.0.2.1/32": "offered" });
  await announcing("node-2", { "192.0.2.1/32": "offered" });
  const drained = await updateNode(ctx, nodeId, { draining: true });
  expect(drained).toMatchObject({ drainingSince: ctx.now, generation: 2 });
  const after = (seconds: number) => ({ ...ctx, now: new Date(ctx.now.getTime() + seconds * 1_000) });
  expect(await updateNode(after(1), nodeId, { draining: true })).toMatchObject({
    drainingSince: ctx.now,
    generation: 2,
  });
  expect(await updateNode(after(2), nodeId, { name: "node-9" })).toMatchObject({
    drainingSince: ctx.now,
    generation: 3,
  });
  const { items } = await listNodes(ctx, { sort: "name", direction: "desc", limit: 10 });
  expect(items.map((each) => each.drainingSince)).toEqual([ctx.now, null]);
  expect(await updateNode(after(3), nodeId, { draining: false })).toMatchObject({ drainingSince: null, generation: 4 });
  expect(await eventsOf(nodeId)).toMatchObject([
    { reason: "NodeDraining", severity: "info" },
    { reason: "NodeReturned", severity: "info" },
  ]);
  const audit = await ctx.db.auditEntry.findMany({ where: { subjectId: nodeId }, orderBy: { at: "asc" } });
  expect(audit.map(({ before, after }) => [before, after])).toMatchObject([
    [{ draining: false }, { draining: true }],
    [{ name: "node-1" }, { name: "node-9" }],
    [{ draining: true }, { draining: false }],
  ]);
  const where = { kind_objectId: { kind: "node", objectId: nodeId } };
  expect(await ctx.db.reconcileTask.findUnique({ where })).not.toBeNull();
});

it("warns where a drain makes an address unreachable, and drains anyway", async () => {
  const nodeId = await announcing("node-1", {
    "192.0.2.1/32": "offered",
    "192.0.2.2/32": "offered",
    "2001:db8::1/128": "withdrawn",
  });
  await announcing("node-2", { "192.0.2.1/32": "withdrawn", "192.0.2.2/32": "offered" });
  const alone = ["192.0.2.1/32"];
  expect((await getNode(ctx, nodeId)).announced).toEqual({
    offered: 2,
    draining: 0,
    withdrawn: 1,
    alone,
    aloneCount: 1,
  });
  expect(await updateNode(ctx, nodeId, { draining: true })).toMatchObject({ drainingSince: ctx.now });
  expect(await eventsOf(nodeId)).toMatchObject([
    {
      severity: "warning",
      message: expect.stringMatching(/No other node announces 192\.0\.2\.1\/32: no traffic reaches/),
    },
  ]);
});
