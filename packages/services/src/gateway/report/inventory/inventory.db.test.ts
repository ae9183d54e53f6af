import { inTransaction } from "@fairlead/db";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import type { ReportedInstance } from "@fairlead/domain/instance";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { ServiceContext } from "../../../context.ts";
import { writeInstances } from "../../../instance/write-instances.sql.ts";
import { createTestCluster, createTestNode, createTestOrganization } from "../../../testing/index.ts";
import type { AgentIdentity } from "../../identity/identities.sql.ts";
import { type Inventory, planInventory, writeInventory } from "./inventory.sql.ts";

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

const pod = (name: string): ReportedInstance => ({
  ...{ name, workload: "web", nodeName: "", addresses: ["10.1.0.1"], ready: true, labels: {}, weight: 1 },
});

async function agentNamed(name: string): Promise<AgentIdentity> {
  const { nodeId, agentId } = await createTestNode(ctx, clusterId, { name, roles: ["lab"] });
  const certificate = { certificateSerial: agentId, certificateExpiresAt: ctx.now, previousSerial: null };
  const { organizationId } = ctx;
  return {
    ...{ agentId, nodeId, nodeName: name, clusterId, organizationId, roles: ["lab"], allowedRoles: ["lab"] },
    ...{ ...certificate, protocolVersion: 2, revokedAt: null, revision: 0 },
  };
}

/** Records inventories that arrived together: all are planned before the first is written. */
function record(...inventories: Inventory[]): Promise<void> {
  return inTransaction(ctx.db, async (tx) => {
    const planned = [];
    for (const each of inventories) planned.push(await planInventory(tx, each));
    for (const each of planned) await writeInventory(tx, each, ctx.now);
  });
}

async function sources(): Promise<Record<string, string>> {
  const rows = await ctx.db.instance.findMany({ where: { clusterId }, select: { name: true, source: true } });
  return Object.fromEntries(rows.map(({ name, source }) => [name, source]));
}

it.each(["before", "after"])(
  "keeps an instance that another agent takes over %s its last owner drops it",
  async (when) => {
    const [first, second] = [await agentNamed("a"), await agentNamed("b")];
    await record({ agent: first, instances: [pod("x"), pod("y")] });
    const together = [
      { agent: second, instances: [pod("x")] },
      { agent: first, instances: [pod("y")] },
    ];
    await record(...(when === "before" ? together : together.reverse()));
    expect(await sources()).toEqual({ x: second.agentId, y: first.agentId });
  },
);

it("replaces what agents reported that no longer exist, and leaves what was observed of a Kubernetes cluster", async () => {
  const { organizationId } = ctx;
  await inTransaction(ctx.db, (tx) =>
    writeInstances(tx, { organizationId, clusterId, source: clusterId, instances: [pod("pod")] }, ctx.now),
  );
  const gone = await agentNamed("gone");
  await record({ agent: gone, instances: [pod("old")] });
  await ctx.db.agent.update({ where: { id: gone.agentId }, data: { revokedAt: ctx.now } });
  const agent = await agentNamed("here");
  await record({ agent, instances: [pod("new")] });
  expect(await sources()).toEqual({ pod: clusterId, new: agent.agentId });
});
