import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { noteRoles } from "../gateway/identity/agent-roles.ts";
import { loadIdentities } from "../gateway/identity/identities.sql.ts";
import { createTestCluster, createTestNode, createTestOrganization } from "../testing/index.ts";
import { updateAgent } from "./index.ts";

let database: TestDatabase;
let ctx: ServiceContext;
let agentId: string;
let nodeId: string;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
  const { cluster } = await createTestCluster(ctx);
  ({ nodeId, agentId } = await createTestNode(ctx, cluster.id, { roles: ["balancer", "node"] }));
});

async function identity() {
  const [found] = await loadIdentities(ctx.db, [agentId]);
  if (!found) throw new Error("the agent is missing");
  return found;
}

describe("the roles of an agent", () => {
  it("that an owner allows are accepted from then on", async () => {
    await expect(noteRoles(ctx.db, await identity(), ["router"], ctx.now)).rejects.toMatchObject({ code: "forbidden" });
    const after = await updateAgent(ctx, agentId, { allowedRoles: ["router", "node", "balancer"] });
    expect(after).toMatchObject({ roles: ["balancer", "node"], allowedRoles: ["balancer", "node", "router"] });
    await noteRoles(ctx.db, await identity(), ["router"], ctx.now);
    expect((await identity()).roles).toEqual(["router"]);
    const where = { organizationId: ctx.organizationId, action: "agent.update" };
    expect(await ctx.db.auditEntry.findMany({ where })).toMatchObject([
      { subjectId: agentId, before: { allowedRoles: ["balancer", "node"] }, after: { roles: ["balancer", "node"] } },
    ]);
  });

  it("that an owner withdraws end at once, and the node gets a config without them", async () => {
    await ctx.db.reconcileTask.deleteMany();
    expect(await updateAgent(ctx, agentId, { allowedRoles: ["node"] })).toMatchObject({ roles: ["node"] });
    expect(await ctx.db.reconcileTask.count({ where: { kind: "node", objectId: nodeId } })).toBe(1);
    await expect(noteRoles(ctx.db, await identity(), ["balancer", "node"], ctx.now)).rejects.toMatchObject({
      code: "forbidden",
    });
  });

  it("can't all be withdrawn, because the agent would do nothing", async () => {
    await expect(updateAgent(ctx, agentId, { allowedRoles: ["router"] })).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining("or revoke the agent"),
      fields: [{ path: ["allowedRoles"] }],
    });
  });
});

it("only owners may change them", async () => {
  const operator = { ...ctx, actor: { kind: "user", id: "u", name: "Op", role: "operator" } as const };
  await expect(updateAgent(operator, agentId, { allowedRoles: ["node"] })).rejects.toMatchObject({ code: "forbidden" });
});
