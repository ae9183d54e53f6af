import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ServiceContext } from "../../context.ts";
import { createTestCluster, createTestNode, createTestOrganization } from "../../testing/index.ts";
import { supersede } from "../enroll/supersede.ts";
import { noteRoles } from "./agent-roles.ts";
import { type AgentIdentity, loadIdentities } from "./identities.sql.ts";

let database: TestDatabase;
let ctx: ServiceContext;
let nodeId: string;
let nodeAgentId: string;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
  const { cluster } = await createTestCluster(ctx);
  ({ nodeId, agentId: nodeAgentId } = await createTestNode(ctx, cluster.id));
});

/** A further agent of the node, which reports right now. */
async function addAgent(roles: string[], allowedRoles: string[] = ["balancer", "node"]): Promise<AgentIdentity> {
  const { db, organizationId, now } = ctx;
  const id = newId("agent", now);
  const certificate = { certificateSerial: id, certificateExpiresAt: new Date(now.getTime() + 3_600_000) };
  await db.agent.create({ data: { id, organizationId, nodeId, roles, allowedRoles, ...certificate } });
  const status = { agentId: id, nodeId, bootId: "boot", sequence: 1, observedRevision: 1, version: "1" };
  await db.nodeStatus.create({ data: { ...status, lastReportAt: now } });
  const [identity] = await loadIdentities(db, [id]);
  if (!identity) throw new Error("the agent that was just created is missing");
  return identity;
}

const rolesOf = async (id: string) => (await ctx.db.agent.findUniqueOrThrow({ where: { id } })).roles;
const isRevoked = async (id: string) => (await ctx.db.agent.findUniqueOrThrow({ where: { id } })).revokedAt !== null;
const audit = () =>
  ctx.db.auditEntry.findMany({
    where: { action: "agent.change-roles", subjectName: "node-1", organizationId: ctx.organizationId },
  });

describe("an agent that returns with other roles", () => {
  it("is refused a role that another agent of its node runs as right now", async () => {
    const balancer = await addAgent(["balancer"]);
    await expect(noteRoles(ctx.db, balancer, ["balancer", "node"], ctx.now)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("reports right now"),
    });
    expect(await rolesOf(balancer.agentId)).toEqual(["balancer"]);
    expect(await isRevoked(nodeAgentId)).toBe(false);
    expect(await audit()).toEqual([]);
  });

  it("takes a role over from a silent agent, which is revoked, and leaves an audit entry", async () => {
    const balancer = await addAgent(["balancer"]);
    await ctx.db.nodeStatus.update({ where: { agentId: nodeAgentId }, data: { lastReportAt: new Date(0) } });
    await noteRoles(ctx.db, balancer, ["node", "balancer"], ctx.now);
    expect(await rolesOf(balancer.agentId)).toEqual(["balancer", "node"]);
    expect(await isRevoked(nodeAgentId)).toBe(true);
    expect(await audit()).toMatchObject([
      {
        actorKind: "agent",
        subjectId: balancer.agentId,
        before: { roles: ["balancer"] },
        after: { roles: ["balancer", "node"], superseded: [nodeAgentId] },
      },
    ]);
  });

  it("is refused a role that its token did not allow, which leaves one audit entry and one event an hour", async () => {
    const balancer = await addAgent(["balancer"]);
    const refused = () =>
      ctx.db.auditEntry.findMany({ where: { action: "agent.refuse-roles", organizationId: ctx.organizationId } });
    for (const role of ["lab", "router", "router"])
      await expect(noteRoles(ctx.db, balancer, ["balancer", role], ctx.now)).rejects.toMatchObject({
        code: "forbidden",
        message: expect.stringContaining(`may run as balancer, node, not as ${role}`),
      });
    // An agent can invent any number of names: they count as one.
    for (let n = 0; n < 3; n++)
      await expect(noteRoles(ctx.db, balancer, [`invented-${"a".repeat(n)}`], ctx.now)).rejects.toMatchObject({
        message: expect.stringContaining("not as an unknown role"),
      });
    expect(await rolesOf(balancer.agentId)).toEqual(["balancer"]);
    expect(await refused()).toMatchObject([
      { actorKind: "agent", subjectId: balancer.agentId, after: { roles: ["lab"] } },
      { before: { allowedRoles: ["balancer", "node"] }, after: { roles: ["router"] } },
      { after: { roles: ["an unknown role"] } },
    ]);
    const where = { subjectId: nodeId, reason: "AgentRolesRefused" };
    expect(await ctx.db.event.count({ where })).toBeGreaterThanOrEqual(2);
    const later = new Date(ctx.now.getTime() + 3_600_001);
    await expect(noteRoles(ctx.db, balancer, ["lab"], later)).rejects.toMatchObject({ code: "forbidden" });
    expect(await refused()).toHaveLength(4);
  });

  it("is refused a role that was withdrawn since it was loaded", async () => {
    const balancer = await addAgent(["balancer"]);
    await ctx.db.agent.delete({ where: { id: nodeAgentId } });
    await ctx.db.agent.update({ where: { id: balancer.agentId }, data: { allowedRoles: ["balancer"] } });
    await expect(noteRoles(ctx.db, balancer, ["node"], ctx.now)).rejects.toMatchObject({ code: "forbidden" });
    expect(await rolesOf(balancer.agentId)).toEqual(["balancer"]);
  });

  it("gets a role that two request at once only if it is first", async () => {
    await ctx.db.agent.delete({ where: { id: nodeAgentId } });
    const two = [await addAgent(["balancer"]), await addAgent(["balancer"])];
    const outcomes = await Promise.allSettled(
      two.map((agent) => noteRoles(ctx.db, agent, ["balancer", "node"], ctx.now)),
    );
    expect(outcomes.map((each) => each.status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});

it("a node may have an agent for each of its balancers, in addition to its own", async () => {
  const first = await addAgent(["balancer"]);
  const revoked = await ctx.db.$transaction((tx) =>
    supersede(tx, { id: nodeId, name: "node-1" }, { roles: ["balancer"], mayReplace: true, now: ctx.now }),
  );
  expect(revoked).toEqual([]);
  expect([await isRevoked(first.agentId), await isRevoked(nodeAgentId)]).toEqual([false, false]);
});
