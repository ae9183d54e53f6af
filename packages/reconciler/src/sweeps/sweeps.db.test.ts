import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import type { ServiceContext } from "@fairlead/services";
import {
  createTestCluster,
  createTestExposure,
  createTestNode,
  createTestOrganization,
} from "@fairlead/services/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createMissingTasks } from "./missing-tasks.sql.ts";
import { silentAgentsSweep } from "./silent-agents.ts";

let database: TestDatabase;
let ctx: ServiceContext;
let clusterId: string;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
  ({
    cluster: { id: clusterId },
  } = await createTestCluster(ctx));
});

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000);

/** A sweep whose grace after our own absence is over. */
async function settledSweep(): Promise<() => Promise<number>> {
  let skewMs = -60_000;
  const sweep = silentAgentsSweep(database.db, () => new Date(Date.now() + skewMs));
  for (; skewMs < -5_000; skewMs += 10_000) await sweep();
  skewMs = 0;
  return sweep;
}

const events = () =>
  database.db.event.findMany({ where: { organizationId: ctx.organizationId, reason: "AgentSilent" } });

describe("an agent that fell silent", () => {
  it("is reported once, by one of several controllers", async () => {
    const { nodeId, agentId } = await createTestNode(ctx, clusterId, { lastReportAt: secondsAgo(40) });
    await createTestNode(ctx, clusterId, { name: "node-2", lastReportAt: secondsAgo(5) });
    await createTestNode(ctx, clusterId, { name: "node-3", lastReportAt: secondsAgo(90), revokedAt: new Date() });
    await createTestNode(ctx, clusterId, { name: "node-4", lastReportAt: null });
    const sweeps = await Promise.all([settledSweep(), settledSweep(), settledSweep()]);
    await Promise.all(sweeps.map((sweep) => sweep()));
    await Promise.all(sweeps.map((sweep) => sweep()));
    expect(await events()).toMatchObject([
      {
        severity: "problem",
        subjectKind: "node",
        subjectId: nodeId,
        clusterId,
        message: expect.stringMatching(/has not reported for (4|5)\d s;/),
      },
    ]);
    const feed = await database.db.feedEntry.findMany({
      where: { organizationId: ctx.organizationId, subjectId: { in: [nodeId, agentId] } },
    });
    expect(feed.map((each) => each.subjectKind).sort()).toEqual(["agent", "node"]);
  });

  it("and recovers again and again is reported as flapping, once", async () => {
    const { nodeId, agentId } = await createTestNode(ctx, clusterId, { lastReportAt: secondsAgo(40) });
    const sweep = await settledSweep();
    for (let time = 0; time < 8; time++) {
      await database.db.nodeStatus.update({ where: { agentId }, data: { silentSince: null } });
      await sweep();
    }
    const rows = await database.db.event.findMany({ where: { subjectId: nodeId }, orderBy: { id: "asc" } });
    expect(rows.map((each) => each.reason)).toEqual([
      "AgentSilent",
      "AgentSilent",
      "AgentSilent",
      "AgentSilentFlapping",
    ]);
  });

  it("gets a grace period after an absence of the controller", async () => {
    await createTestNode(ctx, clusterId, { lastReportAt: secondsAgo(40) });
    let skewMs = 0;
    const sweep = silentAgentsSweep(database.db, () => new Date(Date.now() + skewMs));
    await sweep();
    skewMs = 10_000;
    await sweep();
    expect(await events()).toEqual([]);
    skewMs = 24_000;
    await sweep();
    skewMs = 38_000;
    await sweep();
    expect(await events()).toHaveLength(1);
  });

  it("waits three of its own intervals", async () => {
    const { nodeId } = await createTestNode(ctx, clusterId, { lastReportAt: secondsAgo(40) });
    await database.db.node.update({ where: { id: nodeId }, data: { settings: { reportIntervalMs: 60_000 } } });
    await (await settledSweep())();
    expect(await events()).toEqual([]);
  });
});

describe("an object without a task", () => {
  it("gets one, and an object that has one keeps it", async () => {
    const { exposure } = await createTestExposure(ctx);
    const { nodeId } = await createTestNode(ctx, clusterId);
    await database.db.reconcileTask.deleteMany();
    expect(await createMissingTasks(database.db)).toBeGreaterThanOrEqual(2);
    const tasks = await database.db.reconcileTask.findMany({ where: { objectId: { in: [exposure.id, nodeId] } } });
    expect(tasks.map((each) => each.kind).sort()).toEqual(["exposure", "node"]);
    const both = await Promise.all([createMissingTasks(database.db), createMissingTasks(database.db)]);
    expect(both).toEqual([0, 0]);
  });
});
