import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { revokeAgent } from "../agent/index.ts";
import type { ServiceContext } from "../context.ts";
import { createTestCluster, createTestNode, createTestOrganization } from "../testing/index.ts";
import { deleteNode, getNode, listNodes, updateNode } from "./index.ts";

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

describe("the state of a node", () => {
  it.each([
    ["in-sync", "Runs revision 1.", () => ({ lastReportAt: ago(3_400) })],
    ["silent", "Silent; the data shown is that of its last report.", () => ({ lastReportAt: ago(3_700_000) })],
    ["never-seen", "Has never reported.", () => ({ lastReportAt: null })],
    ["revoked", "Its agent is revoked; enrol a new one to bring it back.", () => ({ revokedAt: ago(1_000) })],
    [
      "out-of-sync",
      "Refuses revision 1 and keeps 1: no such interface.",
      () => ({ lastReportAt: ago(1_000), configError: "no such interface" }),
    ],
  ])("is %s", async (state, message, options) => {
    const { nodeId } = await createTestNode(ctx, clusterId, options());
    expect(await getNode(ctx, nodeId)).toMatchObject({ state, message, agents: [{ state }] });
    const { items } = await listNodes(ctx, { sort: "name", direction: "asc", limit: 10, state: [state as "silent"] });
    expect(items).toMatchObject([{ id: nodeId, state, message }]);
  });

  it("has why no server of it takes connections by TLS session, among the warnings of its agent", async () => {
    const { nodeId, agentId } = await createTestNode(ctx, clusterId);
    const status = { agentId, problem: "", observedAt: ctx.now };
    await database.db.backendRoleStatus.create({ data: status });
    expect(await getNode(ctx, nodeId)).toMatchObject({ agents: [{ warnings: [] }] });
    const problem = "The kernel is older than Linux 6.9.";
    await database.db.backendRoleStatus.update({ where: { agentId }, data: { problem } });
    expect(await getNode(ctx, nodeId)).toMatchObject({ agents: [{ warnings: [problem] }] });
  });

  it("is out of sync while it runs another revision than it should", async () => {
    const { nodeId, agentId } = await createTestNode(ctx, clusterId);
    await database.db.nodeConfig.update({ where: { agentId }, data: { revision: 4 } });
    expect(await getNode(ctx, nodeId)).toMatchObject({
      state: "out-of-sync",
      message: "Runs revision 1, should run 4.",
    });
  });

  it("shows the figures of its host, though the agent of a balancer on it reported later or is silent", async () => {
    const { nodeId, agentId } = await createTestNode(ctx, clusterId, { lastReportAt: ago(3_000) });
    await ctx.db.nodeStatus.update({
      where: { agentId },
      data: { cpuUtilizationRatio: 0.5, facts: { kernel: "6.1" } },
    });
    const { organizationId } = ctx;
    const certificate = { certificateSerial: newId("agent"), certificateExpiresAt: ago(-3_600_000) };
    const balancer = newId("agent");
    await ctx.db.agent.create({ data: { id: balancer, organizationId, nodeId, roles: ["balancer"], ...certificate } });
    const reported = { agentId: balancer, nodeId, bootId: "b", sequence: 1, observedRevision: 0 };
    await ctx.db.nodeStatus.create({ data: { ...reported, lastReportAt: ago(1_000) } });
    expect(await getNode(ctx, nodeId)).toMatchObject({ state: "out-of-sync", cpuUtilizationRatio: 0.5, kernel: "6.1" });
    await ctx.db.nodeStatus.update({ where: { agentId: balancer }, data: { lastReportAt: ago(3_700_000) } });
    expect(await getNode(ctx, nodeId)).toMatchObject({ state: "silent", cpuUtilizationRatio: 0.5, kernel: "6.1" });
  });

  it("includes the facts of its host, except those that no longer parse", async () => {
    const { nodeId, agentId } = await createTestNode(ctx, clusterId);
    const facts = {
      hostname: "h",
      os: "Debian 12",
      kernel: "6.1",
      arch: "amd64",
      cpuCount: 2,
      cpuModel: "x",
      memoryBytes: 8e9,
      bootedAt: "2026-01-01T00:00:00.000Z",
      interfaces: [{ name: "eth0", mac: "", mtu: 1500, up: true, addresses: ["10.0.0.1/24"], speedBps: 1e9 }],
      kernelFeatures: [{ name: "xdp", available: false, reason: "no driver" }],
    };
    await database.db.nodeStatus.update({ where: { agentId }, data: { facts } });
    expect(await getNode(ctx, nodeId)).toMatchObject({
      facts: { ...facts, bootedAt: new Date(facts.bootedAt) },
      cpuCount: 2,
      kernel: "6.1",
    });
    await database.db.nodeStatus.update({ where: { agentId }, data: { facts: { hostname: 7 } } });
    expect((await getNode(ctx, nodeId)).facts).toBeNull();
  });
});

describe("a node's settings", () => {
  it("that a change leaves out stay", async () => {
    const { nodeId } = await createTestNode(ctx, clusterId);
    const after = await updateNode(ctx, nodeId, { settings: { sampleIntervalMs: 1_000 } });
    expect(after).toMatchObject({
      generation: 2,
      settings: { sampleIntervalMs: 1_000, reportIntervalMs: 5_000, excludedInterfaces: ["lo", "veth*"] },
    });
    const task = await database.db.reconcileTask.findUnique({
      where: { kind_objectId: { kind: "node", objectId: nodeId } },
    });
    expect(task).not.toBeNull();
  });

  it("can't have a name that is taken in the cluster", async () => {
    const { nodeId } = await createTestNode(ctx, clusterId);
    await createTestNode(ctx, clusterId, { name: "node-2" });
    await expect(updateNode(ctx, nodeId, { name: "node-2" })).rejects.toMatchObject({
      code: "conflict",
      fields: [{ path: ["name"] }],
    });
  });
});

describe("a node", () => {
  it("whose agent still reports can't be deleted", async () => {
    const { nodeId, agentId } = await createTestNode(ctx, clusterId);
    await expect(deleteNode(ctx, nodeId)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("Stop it or revoke it"),
    });
    await revokeAgent(ctx, agentId);
    await deleteNode(ctx, nodeId);
    await expect(getNode(ctx, nodeId)).rejects.toMatchObject({ code: "not-found" });
    expect(await database.db.agent.count({ where: { id: agentId } })).toBe(0);
  });

  it("is deleted with its agents' routing state", async () => {
    const { db } = database;
    const { nodeId, agentId } = await createTestNode(ctx, clusterId, { lastReportAt: ago(3_700_000) });
    const { organizationId, now } = ctx;
    const seen = { organizationId, clusterId, agentId, observedAt: now };
    const bgp = { peerAddress: "10.0.0.1", peerAsn: 64_512, localAsn: 64_513, state: "established", stateSince: now };
    await db.bgpSession.create({ data: { id: newId("bgpSession", now), ...seen, ...bgp } });
    const nextHops = [{ address: "10.0.0.2", weight: 1, since: now }];
    await db.route.create({ data: { id: newId("route", now), ...seen, prefix: "192.0.2.0/24", since: now, nextHops } });
    await deleteNode(ctx, nodeId);
    const where = { organizationId };
    expect([await db.bgpSession.count({ where }), await db.route.count({ where })]).toEqual([0, 0]);
  });
});

describe("revocation", () => {
  it("is recorded once, and notifies the gateways", async () => {
    const { nodeId, agentId } = await createTestNode(ctx, clusterId);
    const [first, second] = [await revokeAgent(ctx, agentId), await revokeAgent(ctx, agentId)];
    expect(first).toMatchObject({ state: "revoked", revokedAt: ctx.now });
    expect(second).toEqual(first);
    const where = { organizationId: ctx.organizationId };
    expect(await database.db.event.findMany({ where })).toMatchObject([
      { reason: "AgentRevoked", severity: "warning", subjectKind: "node", subjectId: nodeId },
    ]);
    expect(await database.db.auditEntry.count({ where: { ...where, action: "agent.revoke" } })).toBe(1);
    expect((await getNode(ctx, nodeId)).state).toBe("revoked");
  });
});
