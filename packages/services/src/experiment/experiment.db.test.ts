import { inTransaction } from "@fairlead/db";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { startExperiment as startExperimentInput } from "@fairlead/domain/experiment";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { updateNode } from "../node/index.ts";
import { createTestCluster, createTestOrganization, createTestRouting, type TestRouting } from "../testing/index.ts";
import {
  getExperiment,
  listExperimentSteps,
  listExperiments,
  lookAtExperiment,
  startExperiment,
  stopExperiment,
} from "./index.ts";

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

const after = (ms: number) => new Date(ctx.now.getTime() + ms);
const start = (fields: object = {}) =>
  startExperiment(
    ctx,
    startExperimentInput.parse({ clusterId, changeEverySeconds: 2, durationSeconds: 10, seed: 3, ...fields }),
  );
const look = (id: string, ms: number) => inTransaction(ctx.db, (tx) => lookAtExperiment(tx, id, after(ms)));
const steps = async (experimentId: string, kind: "requested" | "observed") =>
  (await listExperimentSteps(ctx, { experimentId, kind: [kind], sort: "at", direction: "asc", limit: 50 })).items;

describe("an experiment", () => {
  let routing: TestRouting;
  beforeEach(async () => {
    routing = await createTestRouting(ctx, clusterId, 2);
  });

  it("removes a replica, records when the kernel followed, and restores it at the end", async () => {
    const { id } = await start();
    expect(await look(id, 500)).toMatchObject({ is: "running", isSettled: true, until: after(2_000) });
    await look(id, 2_000);
    const { drained } = await getExperiment(ctx, id);
    expect(drained).toHaveLength(1);
    const left = routing.speakers.filter(({ agentId }) => !drained.includes(agentId));
    expect(await look(id, 2_100)).toMatchObject({ isSettled: false });
    await routing.route(left, after(2_007));
    expect(await look(id, 2_200)).toMatchObject({ isSettled: true });
    await look(id, 4_000);
    await routing.route(routing.speakers, after(4_031));
    await look(id, 4_100);
    expect(await steps(id, "requested")).toMatchObject([
      { number: 1, at: after(2_000), replicaCount: 1, settledAt: after(2_007), tookMs: 7 },
      { number: 2, at: after(4_000), replicaCount: 2, settledAt: after(4_031), tookMs: 31 },
    ]);
    expect(await steps(id, "observed")).toMatchObject([
      { at: ctx.now, replicaCount: 2 },
      { at: after(2_007), replicas: left.map((each) => each.agentId) },
      { at: after(4_031), replicaCount: 2 },
    ]);
    await look(id, 6_000); // removes one that the kernel keeps
    expect(await look(id, 10_000)).toEqual({ is: "ended", at: after(10_000) });
    const ended = await getExperiment(ctx, id);
    expect(ended).toMatchObject({
      state: "finished",
      drained: [],
      changeCount: 3,
      settledCount: 2,
      slowestMs: 31,
      brokenConnections: null,
      settleMsP50: 19,
    });
    expect(ended.delays.filter((each) => each.count > 0)).toEqual([
      { atMostMs: 10, count: 1 },
      { atMostMs: 50, count: 1 },
    ]);
    expect((await listExperiments(ctx, { sort: "startedAt", direction: "desc", limit: 10 })).items).toMatchObject([
      { id, state: "finished" },
    ]);
    const events = await ctx.db.event.findMany({ where: { subjectId: id }, orderBy: { at: "asc" } });
    expect(events.map(({ reason, message }) => [reason, message])).toEqual([
      ["ExperimentStarted", "Test started it: 1 to 2 replicas at random, another count every 2 s, for 10 s."],
      ["ExperimentEnded", "It finished. 3 changes, 2 settled. All replicas are restored."],
    ]);
    const dirty = await ctx.db.reconcileTask.findMany({ where: { kind: "node" }, select: { objectId: true } });
    expect(dirty.map((each) => each.objectId)).toEqual(
      expect.arrayContaining(routing.speakers.map((each) => each.nodeId)),
    );
  });

  it("doesn't count a route as settled that was so before the change", async () => {
    const { id } = await start();
    await look(id, 2_000);
    await look(id, 4_000); // requests both again, while the kernel never removed any
    expect(await look(id, 4_100)).toMatchObject({ isSettled: false });
    expect(await getExperiment(ctx, id)).toMatchObject({ changeCount: 2, settledCount: 0, slowestMs: null });
  });

  it("can be stopped at any time, once, and then removes no more replicas", async () => {
    const { id } = await start();
    await look(id, 2_000);
    const stopped = await stopExperiment({ ...ctx, now: after(3_000) }, id);
    expect(stopped).toMatchObject({ state: "stopped", reason: "by Test.", endedAt: after(3_000) });
    expect((await getExperiment(ctx, id)).drained).toEqual([]);
    expect(await stopExperiment({ ...ctx, now: after(5_000) }, id)).toEqual(stopped);
    expect(await look(id, 6_000)).toEqual({ is: "ended", at: after(3_000) });
    const audit = await ctx.db.auditEntry.findMany({ where: { subjectId: id }, orderBy: { at: "asc" } });
    expect(audit.map((each) => each.action)).toEqual(["experiment.start", "experiment.stop"]);
  });

  it("runs alone in its cluster", async () => {
    const { id } = await start();
    await expect(start()).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("runs in") });
    await stopExperiment(ctx, id);
    await start();
  });

  it("fails, and restores all replicas, when one of its nodes is drained", async () => {
    const { id } = await start();
    await look(id, 2_000);
    await updateNode(ctx, routing.speakers[0]?.nodeId ?? "", { draining: true });
    expect(await look(id, 2_500)).toMatchObject({ is: "ended" });
    expect(await getExperiment(ctx, id)).toMatchObject({
      state: "failed",
      reason: "lb-1 is drained by a user.",
      drained: [],
    });
  });

  it("fails when a speaker falls silent", async () => {
    const { id } = await start();
    const agentId = routing.speakers[1]?.agentId ?? "";
    await ctx.db.nodeStatus.update({ where: { agentId }, data: { lastReportAt: after(-60_000) } });
    await look(id, 500);
    expect(await getExperiment(ctx, id)).toMatchObject({ state: "failed", reason: "The speaker of lb-2 is silent." });
  });

  it("requires fewer serving replicas than there are, and nodes that are not drained", async () => {
    await expect(start({ fewestReplicas: 2 })).rejects.toMatchObject({
      code: "invalid",
      fields: [{ path: ["fewestReplicas"] }],
    });
    await updateNode(ctx, routing.speakers[0]?.nodeId ?? "", { draining: true });
    await expect(start()).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("lb-1 drains") });
  });

  it("requires a router that reports its kernel's routes", async () => {
    await ctx.db.agent.deleteMany({ where: { roles: { has: "router" } } });
    await expect(start()).rejects.toMatchObject({ message: expect.stringContaining("nothing could be measured") });
  });
});

it("is refused where fewer than two replicas announce", async () => {
  await expect(start()).rejects.toMatchObject({ message: expect.stringContaining("set up its routing first") });
  await createTestRouting(ctx, clusterId, 1);
  await expect(start()).rejects.toMatchObject({
    message: expect.stringContaining("Only one replica announces 192.0.2.1/32"),
  });
});
