import { inTransaction } from "@fairlead/db";
import { hourOf } from "@fairlead/domain/cost";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { listEvents } from "../../event/index.ts";
import { Partitions } from "../../series/partitions.sql.ts";
import { dueRollups, rollUp } from "../../series/roll-up.sql.ts";
import { createTestExposure, createTestNode, createTestOrganization } from "../../testing/index.ts";
import { meterHours, refreshSubjects } from "../../usage/meter-hours.sql.ts";
import type { ReportedEvent } from "./balancer/balancer-report.ts";
import { type FiguresStage, figuresOf, setFiguresStage } from "./testing/figures-stage.ts";

const minuteMs = 60_000;

let stage: FiguresStage;
let of: { loadBalancer: string };
beforeEach(async () => {
  await stage?.database.drop();
  stage = await setFiguresStage();
  of = { loadBalancer: stage.balancerId };
});
afterAll(() => stage.database.drop());

const eventsOf = async (subjectId: string) =>
  (await listEvents(stage.ctx, { subjectId, sort: "at", direction: "asc", limit: 50 })).items;
const refusalsOf = async (nodeId: string) =>
  (await eventsOf(nodeId)).filter((each) => each.reason === "FiguresRefused").map((each) => each.message);

/** meter rolls up and meters what was reported in the last minutes, and returns the bytes from clients. */
async function meter(): Promise<number> {
  const { db } = stage.database;
  const now = new Date(Date.now() + 2 * minuteMs);
  for (const task of await dueRollups(db, now)) await rollUp(db, new Partitions(), task, now);
  await refreshSubjects(db, now);
  const servedSince = new Date(now.getTime() - 3 * 60 * minuteMs);
  await db.usageSubject.updateMany({ data: { servedSince } });
  const hours = { from: hourOf(now) - 1, to: hourOf(now) + 1, source: "minute" } as const;
  await inTransaction(db, (tx) => meterHours(tx, hours, now));
  const { _sum } = await db.usageHour.aggregate({ _sum: { bytesIn: true } });
  return _sum.bytesIn ?? 0;
}

describe("figures of a load balancer", () => {
  it("count from each agent with a replica of it, also those of its backends", async () => {
    const [one, two] = [await stage.join("one"), await stage.join("two")];
    await stage.place(0, one);
    await stage.place(1, two);
    const series = [figuresOf(of, [1]), figuresOf({ ...of, backend: stage.backendId }, [1])];
    for (const agent of [one, two]) expect(await stage.report(agent, { series })).toBe(0);
    for (const subjectId of [stage.balancerId, stage.backendId])
      expect(new Set((await stage.pointsOf(subjectId)).map((each) => each.agent))).toEqual(
        new Set([one.agentId, two.agentId]),
      );
  });

  it("of connections by TLS session count from the agent next to a backend, and from no other", async () => {
    const [beside, elsewhere] = [await stage.join("n1", ["backend"]), await stage.join("n2", ["backend"])];
    const instance = { name: "web-1", workload: "web", nodeName: "n1", addresses: ["10.0.0.1"], ready: true };
    const { organizationId, now: changedAt } = stage.ctx;
    await stage.database.db.instance.create({
      data: { ...instance, id: "ins_1", organizationId, clusterId: stage.clusterId, source: beside.agentId, changedAt },
    });
    const metric = "sessionAcceptedPerSecond";
    const labels = { ...of, backend: stage.backendId };
    expect(await stage.report(beside, { series: [figuresOf(labels, [1], { metric })] })).toBe(0);
    expect(await stage.report(elsewhere, { series: [figuresOf(labels, [1], { metric })] })).toBe(1);
    // It carries no replica, so it can't report what replicas do.
    expect(await stage.report(beside, { series: [figuresOf(labels, [1])] })).toBe(1);
    expect(await stage.pointsOf(stage.backendId)).toMatchObject([{ agent: beside.agentId, metric }]);
  });

  it("are refused, counted and shown from an agent without one, and cost nothing", async () => {
    const [carrier, forger] = [await stage.join("carrier"), await stage.join("forger")];
    await stage.place(0, carrier);
    await stage.report(carrier, { series: [figuresOf(of, [2, 1])] });
    const before = await meter();
    expect(before).toBeGreaterThan(0);
    const series = [
      figuresOf(of, [2, 1], { value: 8e12 }),
      figuresOf({ ...of, backend: stage.backendId }, [1]),
      figuresOf({}, [1]),
    ];
    const refused = await stage.report(forger, { series });
    expect(await meter()).toBe(before);
    expect(refused).toBe(3);
    expect(await stage.pointsOf(stage.balancerId)).toHaveLength(2);
    expect(await stage.pointsOf(stage.backendId)).toEqual([]);
    expect(await stage.pointsOf(forger.nodeId)).toHaveLength(1);
    const { name } = await stage.database.db.loadBalancer.findUniqueOrThrow({ where: { id: stage.balancerId } });
    expect(await refusalsOf(forger.nodeId)).toEqual([
      `forger: Its agent reported figures of the load balancer ${name}, which has no replica on it. They are left out. Find out what runs there.`,
    ]);
    expect(await refusalsOf(carrier.nodeId)).toEqual([]);
  });

  it("of another organisation are refused without its name; those of a deleted one without an event", async () => {
    const other = await createTestOrganization(stage.database.db);
    const { cluster } = await createTestExposure(other);
    const spy = await createTestNode(other, cluster.id, { name: "spy", roles: ["balancer"] });
    const series = [figuresOf({ loadBalancer: "lb_gone" }, [1])];
    expect(await stage.report(spy, { series })).toBe(1);
    expect(await stage.database.db.event.count({ where: { reason: "FiguresRefused" } })).toBe(0);
    expect(await stage.report(spy, { series: [figuresOf(of, [1])] })).toBe(1);
    const events = await stage.database.db.event.findMany({ where: { reason: "FiguresRefused" } });
    expect(events).toMatchObject([
      { subjectId: spy.nodeId, message: expect.stringContaining(`load balancer ${stage.balancerId}, which`) },
    ]);
  });

  it("count from a former carrier for the time until it lost its replica, and not after", async () => {
    const [former, next] = [await stage.join("former"), await stage.join("next")];
    await stage.place(0, former);
    await stage.place(0, next);
    await stage.database.db.formerReplica.updateMany({ data: { endedAt: new Date(Date.now() - 60 * minuteMs) } });
    const series = [figuresOf(of, [300, 61, 58, 50, 1]), figuresOf({ ...of, backend: stage.backendId }, [1, 90])];
    expect(await stage.report(former, { series })).toBe(3);
    expect(await stage.pointsOf(stage.balancerId)).toHaveLength(3);
    expect(await stage.pointsOf(stage.backendId)).toHaveLength(1);
    // It may have carried it for longer than it should, such as while it couldn't reach the control plane.
    expect(await refusalsOf(former.nodeId)).toEqual([]);
  });

  it("that a former carrier measured too late are one event an hour of each node", async () => {
    const { db } = stage.database;
    const [one, two] = [await stage.join("one"), await stage.join("two")];
    for (const agent of [one, two]) await stage.place(0, agent);
    await stage.place(0, null);
    await db.formerReplica.updateMany({ data: { endedAt: new Date(Date.now() - 60 * minuteMs) } });
    const late = async () => (await eventsOf(stage.balancerId)).filter((each) => each.reason === "FiguresLate");
    await stage.report(one, { series: [figuresOf(of, [58])] });
    expect(await late()).toEqual([]);
    for (const agent of [one, one, two])
      await stage.report(agent, { series: [figuresOf(of, [50]), figuresOf({ ...of, backend: stage.backendId }, [1])] });
    expect(await late()).toMatchObject(
      ["one", "two"].map((name) => ({
        severity: "info",
        message: expect.stringMatching(`^${name}: Its figures from`),
      })),
    );
    await db.event.updateMany({ data: { at: new Date(Date.now() - 61 * minuteMs) } });
    await stage.report(one, { series: [figuresOf(of, [40])] });
    expect(await late()).toHaveLength(3);
  });

  it("count again from a former carrier that has another replica, and from one that lost one of two", async () => {
    const agent = await stage.join("agent");
    await stage.place(0, agent);
    await stage.place(1, agent);
    await stage.place(0, null);
    const moveBack = () =>
      stage.database.db.formerReplica.updateMany({ data: { endedAt: new Date(Date.now() - 60 * minuteMs) } });
    await moveBack();
    expect(await stage.report(agent, { series: [figuresOf(of, [5])] })).toBe(0);
    await stage.place(1, null);
    await moveBack();
    expect(await stage.report(agent, { series: [figuresOf(of, [4])] })).toBe(1);
    await stage.place(1, agent);
    expect(await stage.report(agent, { series: [figuresOf(of, [3])] })).toBe(0);
  });

  it("count from a former carrier when replicas are deleted", async () => {
    const agent = await stage.join("agent");
    await stage.place(1, agent);
    await stage.database.db.replica.deleteMany({ where: { loadBalancerId: stage.balancerId } });
    expect(await stage.report(agent, { series: [figuresOf(of, [1])] })).toBe(0);
  });
});

describe("events about a load balancer", () => {
  const event = (loadBalancerId: string): ReportedEvent => ({
    ...{ at: new Date(), reason: "BackendDown", warning: true, loadBalancerId },
    message: `Backend ${stage.backendId} is down.`,
  });

  it("are its own from agents that have or had a replica of it, and the node's from others", async () => {
    const [carrier, former, forger] = [
      await stage.join("carrier"),
      await stage.join("former"),
      await stage.join("forger"),
    ];
    await stage.place(0, former);
    await stage.place(0, carrier);
    for (const agent of [carrier, former, forger]) await stage.report(agent, { events: [event(stage.balancerId)] });
    expect((await eventsOf(stage.balancerId)).map((each) => each.message).sort()).toEqual([
      "carrier: Backend web-1 is down.",
      "former: Backend web-1 is down.",
    ]);
    expect((await eventsOf(forger.nodeId)).map((each) => each.message)).toContain(
      `forger: Backend ${stage.backendId} is down.`,
    );
  });

  it("are its own from the speaker next to a balancer that carries it, and from no other speaker", async () => {
    const carrier = await stage.join("carrier");
    await stage.place(0, carrier);
    const [beside, elsewhere] = [await stage.join("beside", ["speaker"]), await stage.join("elsewhere", ["speaker"])];
    const { nodeId } = carrier;
    await stage.database.db.agent.update({ where: { id: beside.agentId }, data: { nodeId } });
    for (const agent of [beside, elsewhere]) await stage.report(agent, { events: [event(stage.balancerId)] });
    expect((await eventsOf(stage.balancerId)).map((each) => each.message)).toEqual(["carrier: Backend web-1 is down."]);
    expect((await eventsOf(elsewhere.nodeId)).some((each) => each.reason === "BackendDown")).toBe(true);
  });
});
