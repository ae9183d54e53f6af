import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { after, type ClusterFixture, hourMs, MetricsStage, patience, start } from "./testing/metrics-stage.ts";

let stage: MetricsStage;
let cluster: ClusterFixture;
beforeAll(async () => {
  stage = await MetricsStage.set();
});
afterAll(() => stage.close());
beforeEach(async () => {
  cluster = await stage.addCluster();
});
afterEach(() => stage.end());

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe("cloud metrics", () => {
  it("are shown in charts and metered, minute by minute and hour by hour", async () => {
    const balancer = await stage.made.network();
    const id = await cluster.addBalancer(balancer);
    // A Mbit/s, forty connections, two new ones a second; in every second minute, with no data for the others.
    for (const number of range(0, 60).filter((each) => each % 2 === 0))
      await stage.made.measure(balancer, after(number), {
        ProcessedBytes: 7_500_000,
        ActiveFlowCount: 40,
        NewFlowCount: 120,
      });
    await stage.passTo(after(2));
    stage.now = after(70);
    await stage.startLoop();
    await cluster.setUp();
    await cluster.becomes({ phase: "reading", message: "", balancersTotal: 1, balancersFound: 1, metricsPerHour: 180 });
    expect((await cluster.status()).balancers).toEqual([
      { loadBalancerId: id, name: "shop-1", kind: "network", readUntil: after(65), problem: "" },
    ]);
    const bps = range(0, 65).map((number) => [number, number % 2 === 0 && number < 60 ? 1_000_000 : 0]);
    expect(await cluster.series(id, "bothWaysBps")).toEqual(bps);
    expect((await cluster.series(id, "connectionsLive")).slice(0, 3)).toEqual([
      [0, 40],
      [1, 0],
      [2, 40],
    ]);
    expect((await cluster.series(id, "connectionsNewPerSecond")).slice(0, 3)).toEqual([
      [0, 2],
      [1, 0],
      [2, 2],
    ]);

    await stage.passTo(after(72));
    expect(await cluster.series(id, "bothWaysBps")).toEqual(bps);
    expect(await cluster.usage(new Date(start.getTime() + hourMs))).toMatchObject([
      {
        at: start,
        bytesBoth: 30 * 7_500_000,
        bytesIn: null,
        connectionsNew: 30 * 120,
        connectionHours: 20,
        measuredShare: 1,
      },
    ]);
  });

  it("are corrected in charts, hours and the meter when the cloud reports more for a minute later", async () => {
    const balancer = await stage.made.network();
    const id = await cluster.addBalancer(balancer);
    for (const number of range(0, 60)) await stage.made.measure(balancer, after(number), { ProcessedBytes: 1_000 });
    await stage.passTo(after(2));
    await stage.startLoop();
    stage.now = after(61);
    await cluster.setUp();
    await cluster.becomes({ phase: "reading" });
    await stage.passTo(after(62));
    const hour = async () => (await cluster.usage(new Date(start.getTime() + hourMs)))[0]?.bytesBoth;
    expect(await hour()).toBeCloseTo(60_000, 3);
    // A minute that had no data, and one that had less.
    await stage.made.measure(balancer, after(59), { ProcessedBytes: 500, NewFlowCount: 6 });
    await cluster.lookAt(after(64));
    expect((await cluster.series(id, "bothWaysBps", after(59), after(60)))[0]?.[1]).toBeCloseTo((1_500 * 8) / 60, 6);
    expect(await cluster.series(id, "connectionsNewPerSecond", after(59), after(60))).toEqual([[59, 0.1]]);
    await stage.passTo(after(66));
    expect((await cluster.series(id, "bothWaysBps", start, after(60))).at(-1)?.[1]).toBeCloseTo(200, 6);
    expect(await hour()).toBeCloseTo(60_500, 3);
    // Reading the same values again recalculates nothing.
    await cluster.lookAt(after(66));
    await stage.passTo(after(68));
    const waiting = stage.database.db.rollupTask.count({ where: { bucketAt: { lt: after(56) } } });
    expect(await waiting).toBe(0);
  });

  it("are left out where a balancer kind lacks them, and a minute that is too recent is not shown", async () => {
    const classic = await stage.made.classic();
    const id = await cluster.addBalancer(classic);
    await stage.made.measure(classic, after(9), { EstimatedProcessedBytes: 15_000 });
    stage.now = after(10);
    await stage.startLoop();
    await cluster.setUp();
    await cluster.becomes({ phase: "reading", metricsPerHour: 120 });
    expect(await cluster.series(id, "bothWaysBps", after(3))).toEqual([
      [3, 0],
      [4, 0],
      [9, 2_000],
    ]);
    expect(await cluster.series(id, "connectionsNewPerSecond", after(3))).toEqual([
      [3, 0],
      [4, 0],
    ]);
    const names = await stage.database.db.series.findMany({ where: { subjectId: id }, select: { metric: true } });
    expect(names.map((each) => each.metric).sort()).toEqual(["bothWaysBps", "connectionsNewPerSecond"]);
  });

  it("are read as long as balancers exist, and no more once the setting is removed", async () => {
    const id = await cluster.addBalancer(await stage.made.network());
    await stage.startLoop();
    await cluster.setUp();
    await cluster.becomes({ phase: "reading" });
    await cluster.lookAt(after(20));
    expect((await cluster.series(id, "connectionsLive")).length).toBe(15);
    await stage.database.db.cloudMetrics.delete({ where: { clusterId: cluster.id } });
    await stage.database.db.reconcileTask.updateMany({ data: { dueAt: new Date(0) } });
    await expect
      .poll(
        () => stage.database.db.reconcileTask.count({ where: { kind: "cloud-metrics", objectId: cluster.id } }),
        patience,
      )
      .toBe(0);
    expect((await cluster.series(id, "connectionsLive")).length).toBe(15);
  });
});

describe("several controllers", () => {
  it("read each minute once", async () => {
    await cluster.addBalancer(await stage.made.network());
    for (const _ of range(0, 3)) await stage.startLoop();
    await cluster.setUp();
    await cluster.becomes({ phase: "reading" });
    for (const number of range(1, 6)) {
      cluster.front.requestCounts.clear();
      await cluster.lookAt(after(number));
      expect(cluster.front.requestCounts.get("GetMetricData")).toBe(1);
    }
  });

  it("leave no gap and record nothing twice when one of them dies", async () => {
    const balancer = await stage.made.network();
    const id = await cluster.addBalancer(balancer);
    for (const number of range(0, 10)) await stage.made.measure(balancer, after(number * 60), { NewFlowCount: 60 });
    const { promise, resolve } = Promise.withResolvers<void>();
    const dying = await stage.startLoop({
      onStep: (step) => {
        if (step !== "written") return;
        resolve();
        return new Promise(() => undefined);
      },
    });
    stage.now = after(600);
    await cluster.setUp();
    await promise;
    const written = (await cluster.series(id, "connectionsNewPerSecond", after(-60))).length;
    expect(written).toBe(180);
    await dying.stop(0);
    await stage.startLoop();
    await cluster.becomes({ phase: "reading", balancers: [{ readUntil: after(595) }] });
    const all = await cluster.series(id, "connectionsNewPerSecond", after(-60));
    expect(all).toEqual(range(-60, 595).map((number) => [number, number >= 0 && number % 60 === 0 ? 1 : 0]));
  });
});

describe("an outage", () => {
  it.each([
    ["in one go", 60_000],
    ["in several passes, where that takes long", 0],
  ])("is caught up on, as far back as samples are kept, %s", async (_, passMs) => {
    const balancer = await stage.made.network();
    const id = await cluster.addBalancer(balancer);
    await stage.startLoop({ passMs });
    await cluster.setUp();
    await cluster.becomes({ phase: "reading" });
    for (const hour of range(1, 26)) await stage.made.measure(balancer, after(hour * 60), { NewFlowCount: 60 });
    const readUntil = after(26 * 60 - 5);
    await cluster.lookAt(after(26 * 60), { phase: "reading", balancers: [{ readUntil }] });
    // In halves, for each of which a chart shows every minute.
    const points = [
      ...(await cluster.series(id, "connectionsNewPerSecond", after(2 * 60), after(14 * 60))),
      ...(await cluster.series(id, "connectionsNewPerSecond", after(14 * 60))),
    ];
    const first = points[0]?.[0] ?? 0;
    expect(first).toBeGreaterThanOrEqual(3 * 60);
    expect(first).toBeLessThanOrEqual(3 * 60 + 10);
    expect(points).toEqual(range(first, 26 * 60 - 5).map((number) => [number, number % 60 === 0 ? 1 : 0]));
  });
});
