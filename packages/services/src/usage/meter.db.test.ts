import { newId } from "@fairlead/domain";
import { startOfHour } from "@fairlead/domain/cost";
import { createExposure as exposureSpec } from "@fairlead/domain/exposure";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { createExposure } from "../exposure/index.ts";
import { createTestExposure, createTestNode, insertTestSamples } from "../testing/index.ts";
import { listUsage, recountUsage } from "./index.ts";
import { requestUsageOf } from "./meter-due.sql.ts";
import {
  after,
  asCloud,
  carry,
  first,
  type MeterStage,
  minuteMs,
  passTo,
  setMeterStage,
  start,
} from "./testing/meter-stage.ts";

let stage: MeterStage;

beforeEach(async () => {
  await stage?.database.drop();
  stage = await setMeterStage();
});
afterAll(() => stage.database.drop());

const used = (hours: number) =>
  listUsage(
    { ...stage.ctx, now: after(hours) },
    { step: "hour", groupBy: "loadBalancer", limit: 50, from: start, to: startOfHour(first + hours) },
  );
const usage = async (hours: number) => {
  const [group] = (await used(hours)).items;
  if (!group) throw new Error("nothing was metered");
  return group;
};

describe("usage", () => {
  it("is what all replicas carried in an hour, once it is over", async () => {
    await passTo(stage, after(0));
    await carry(stage, 60);
    await passTo(stage, after(1));
    expect((await usage(1)).points).toEqual([
      {
        at: start,
        balancerHours: 1,
        addressHours: expect.closeTo(1, 1),
        machineHours: 2,
        bytesIn: 2 * 1e6 * 3_600,
        bytesOut: null,
        bytesBoth: null,
        connectionsNew: 2 * 2 * 3_600,
        connectionHours: 2 * 10,
        peakInBps: 2 * 8e6,
        peakBothBps: null,
        measuredShare: 1,
      },
    ]);
  });

  it("has no machines with the strategy adaptive, whose replicas take none from others either", async () => {
    const { ctx, clusterId } = stage;
    const { id: poolId } = await ctx.db.addressPool.findFirstOrThrow({ where: { clusterId } });
    const strategy = { type: "adaptive", poolId } as const;
    const spec = exposureSpec.parse({
      ...{ clusterId, name: "local", workload: { kind: "deployment", name: "local" }, ports: [{ port: 80 }], strategy },
    });
    const { id: exposureId } = await createExposure(ctx, spec);
    const { id } = await ctx.db.loadBalancer.findFirstOrThrow({ where: { exposureId } });
    await ctx.db.loadBalancer.update({ where: { id }, data: { createdAt: start } });
    for (const [ordinal, { nodeId, agentId }] of (await ctx.db.replica.findMany()).entries())
      await ctx.db.replica.create({
        data: { id: newId("replica"), loadBalancerId: id, role: "adaptive", ordinal, nodeId, agentId },
      });
    await passTo(stage, after(0));
    await carry(stage, 60);
    await passTo(stage, after(1));
    const groups = (await used(1)).items.map((each) => each.points.map((point) => point.machineHours));
    expect(groups.toSorted()).toEqual([[0], [2]]);
  });

  it("is missing where it was not measured, and never zero", async () => {
    await passTo(stage, after(0));
    await carry(stage, 30);
    await passTo(stage, after(2));
    const { points } = await usage(2);
    expect(points.map(({ bytesIn, measuredShare }) => [bytesIn, measuredShare])).toEqual([
      [2 * 1e6 * 1_800, 0.5],
      [null, 0],
    ]);
  });

  it("counts a replica that is silent as missing", async () => {
    await passTo(stage, after(0));
    await carry(stage, 60, { agents: stage.agentIds.slice(0, 1) });
    await passTo(stage, after(1));
    expect(await usage(1)).toMatchObject({ measuredShare: 0.5, bytesIn: 1e6 * 3_600 });
  });

  it("includes the traffic to clients where all of it was measured", async () => {
    await passTo(stage, after(0));
    await carry(stage, 60, { carried: { throughputBps: 8e6, toClientsBps: 24e6 } });
    await carry(stage, 60, { from: startOfHour(first + 1), carried: { throughputBps: 8e6, toClientsBps: 0 } });
    await carry(stage, 60, { from: startOfHour(first + 2), carried: { throughputBps: 8e6 } });
    // One replica of two doesn't cover it.
    const only = { agents: stage.agentIds.slice(0, 1) };
    await carry(stage, 60, { from: startOfHour(first + 2), carried: { toClientsBps: 24e6 }, ...only });
    await passTo(stage, after(3));
    const { points, ...sum } = await usage(3);
    expect(points.map(({ bytesOut }) => bytesOut)).toEqual([2 * 3e6 * 3_600, 0, null]);
    expect(sum).toMatchObject({ bytesIn: 3 * 2 * 1e6 * 3_600, bytesOut: 2 * 3e6 * 3_600 });
  });

  it("of a provider's balancer is the sum of both directions, as the provider counts", async () => {
    await asCloud(stage);
    await passTo(stage, after(0));
    const carried = { bothWaysBps: 16e6, connectionsLive: 5 };
    await carry(stage, 30, { agents: ["cloud"], carried });
    await passTo(stage, after(1));
    expect((await usage(1)).points).toMatchObject([
      {
        ...{ balancerHours: 1, machineHours: 0, measuredShare: 0.5, bytesIn: null, bytesOut: null },
        ...{ bytesBoth: 2e6 * 1_800, peakBothBps: 16e6, connectionHours: 2.5, connectionsNew: null },
      },
    ]);
  });

  it("weights infrequent samples by their interval", async () => {
    await stage.database.db.$executeRaw`UPDATE node SET settings = settings || '{"sampleIntervalMs": 300000}'`;
    await passTo(stage, after(0));
    const points = Array.from({ length: 12 }, (_, i) => [i * 5 * minuteMs + 1_000, 8e6] as const);
    await insertTestSamples(
      stage.ctx,
      stage.agentIds.map((agent) => ({
        subjectId: stage.balancerId,
        metric: "throughputBps" as const,
        labels: { agent },
        points,
      })),
    );
    await passTo(stage, after(1));
    expect(await usage(1)).toMatchObject({ measuredShare: 1, bytesIn: 2 * 1e6 * 3_600 });
  });

  it("is corrected when samples are late, and the rest of the hour stays as it was found", async () => {
    await passTo(stage, after(0));
    await carry(stage, 30);
    await passTo(stage, after(1));
    const before = await usage(1);
    // Its replicas run elsewhere by now, on a node that another balancer shares.
    await stage.database.db.replica.updateMany({ where: { ordinal: 1 }, data: { nodeId: null, agentId: null } });
    const late = after(5);
    await insertTestSamples({ ...stage.ctx, now: late }, [
      {
        subjectId: stage.balancerId,
        metric: "throughputBps",
        labels: { agent: stage.agentIds[0] ?? "" },
        points: Array.from(
          { length: 30 },
          (_, i) => [start.getTime() - late.getTime() + (30 + i) * minuteMs, 8e6] as const,
        ),
      },
    ]);
    await passTo(stage, after(5, 10 * minuteMs));
    const corrected = await usage(1);
    expect([before.measuredShare, corrected.measuredShare]).toEqual([0.5, 0.75]);
    expect(corrected.bytesIn).toBe((before.bytesIn ?? 0) + 1e6 * 1_800);
    expect(corrected.machineHours).toBe(before.machineHours);
  });

  it("stays the same when it is metered again", async () => {
    await passTo(stage, after(0));
    await carry(stage, 90);
    await passTo(stage, after(3));
    const before = await used(3);
    await stage.database.db.$executeRaw`UPDATE usage_hour SET bytes_in = 1 WHERE hour = ${first}`;
    const span = { from: start, to: after(9) };
    expect(await recountUsage({ ...stage.ctx, now: after(3) }, span)).toEqual({
      ...{ from: start, to: startOfHour(first + 3), hours: 3 },
    });
    expect((await used(3)).waiting).toBe(3);
    expect(await passTo(stage, after(3))).toBe(1);
    expect(await used(3)).toEqual(before);
    await recountUsage({ ...stage.ctx, now: after(3) }, span);
    expect(await passTo(stage, after(3))).toBe(0);
  });

  it("has no hour before a balancer existed, however often that is metered again", async () => {
    await asCloud(stage);
    const { db } = stage.database;
    await db.loadBalancerStatus.update({
      where: { loadBalancerId: stage.balancerId },
      data: { address: null, phase: "pending" },
    });
    // Another one exists all the time, so that each hour is metered.
    const other = await createTestExposure(stage.ctx);
    const { nodeId, agentId } = await createTestNode(stage.ctx, other.cluster.id, { roles: ["balancer"] });
    const loadBalancer = { exposureId: other.exposure.id };
    await db.loadBalancer.updateMany({ where: loadBalancer, data: { createdAt: start } });
    await db.replica.updateMany({ where: { loadBalancer }, data: { nodeId, agentId } });
    for (let hour = 0; hour < 4; hour++) await passTo(stage, after(hour));
    await db.loadBalancerStatus.update({
      where: { loadBalancerId: stage.balancerId },
      data: { address: "a.elb.example", phase: "serving" },
    });
    await passTo(stage, after(4));
    await passTo(stage, after(5));
    const hoursOf = async () => {
      const { items } = await used(5);
      return Object.fromEntries(
        items.map(({ id, balancerHours, addressHours }) => [id === stage.balancerId, [balancerHours, addressHours]]),
      );
    };
    const before = await hoursOf();
    expect(before).toEqual({ true: [expect.closeTo(58 / 60, 3), expect.closeTo(58 / 60, 3)], false: [5, 5] });
    await recountUsage({ ...stage.ctx, now: after(5) }, { from: start });
    await passTo(stage, after(5));
    expect(await hoursOf()).toEqual(before);
  });

  it("skips no hour in which no controller ran", async () => {
    await passTo(stage, after(0));
    await passTo(stage, after(60));
    await passTo(stage, after(60));
    expect((await usage(60)).points.length).toBe(60);
  });

  describe("of hours that can't be metered together", () => {
    const waiting = () => stage.database.db.usageTask.findMany({ where: { dueAt: { lte: after(60) } } });
    /** refuse fails inserts of usage, as if their transaction had run out of time. */
    const refuse = async (condition: string) => {
      await stage.database.db.$executeRawUnsafe(`
        CREATE OR REPLACE FUNCTION refuse_usage() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF (SELECT ${condition} FROM written) THEN RAISE 'the transaction took too long'; END IF;
          RETURN NULL;
        END $$`);
      await stage.database.db.$executeRawUnsafe(`
        CREATE OR REPLACE TRIGGER refuse_usage AFTER INSERT ON usage_hour REFERENCING NEW TABLE AS written
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_usage()`);
    };

    it("is metered in smaller parts, each of them once", async () => {
      await passTo(stage, after(0));
      await requestUsageOf(stage.database.db, { from: first, to: first + 60 }, after(60));
      await refuse("count(DISTINCT hour) > 4");
      await passTo(stage, after(60));
      expect((await usage(60)).points.length).toBe(60);
      expect(await waiting()).toEqual([]);
    });

    it("is metered although an earlier hour fails", async () => {
      await passTo(stage, after(0));
      await requestUsageOf(stage.database.db, { from: first, to: first + 60 }, after(60));
      await refuse(`coalesce(bool_or(hour = ${first + 1}), false)`);
      await expect(passTo(stage, after(60))).rejects.toThrow("took too long");
      expect((await waiting()).map(({ hour }) => hour - first)).toEqual([1]);
      await refuse("false");
      await passTo(stage, after(60));
      expect(await waiting()).toEqual([]);
    });

    it("stays metered when a later hour fails", async () => {
      await passTo(stage, after(0));
      await requestUsageOf(stage.database.db, { from: first, to: first + 60 }, after(60));
      await refuse(`coalesce(max(hour) BETWEEN ${first + 50} AND ${first + 59}, false)`);
      await expect(passTo(stage, after(60))).rejects.toThrow("took too long");
      expect((await waiting()).map(({ hour }) => hour - first)).toEqual([50, 51, 52, 53, 54, 55, 56, 57, 58, 59]);
      expect((await usage(50)).points.length).toBe(50);
      await refuse("false");
      await passTo(stage, after(60));
      expect((await usage(60)).points.length).toBe(60);
    });
  });

  it("keeps what a deleted balancer used, to its last minutes", async () => {
    await passTo(stage, after(0));
    await carry(stage, 20);
    await passTo(stage, after(0, 21 * minuteMs));
    await stage.database.db.loadBalancer.delete({ where: { id: stage.balancerId } });
    await passTo(stage, after(2));
    expect(await usage(2)).toMatchObject({
      name: "shop",
      balancerHours: expect.closeTo(21 / 60, 5),
      bytesIn: 2 * 1e6 * 20 * 60,
    });
  });
});
