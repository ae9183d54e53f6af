import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { hourOf, newId, type PricePoint, type RunsAs, runsAs, startOfHour } from "@fairlead/domain";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { updateCluster } from "../cluster/index.ts";
import type { ServiceContext } from "../context.ts";
import { takeInPrices } from "../cost/index.ts";
import { createExposure } from "../exposure/index.ts";
import { Partitions } from "../series/partitions.sql.ts";
import { dueRollups, rollUp } from "../series/roll-up.sql.ts";
import {
  createTestCluster,
  createTestNode,
  createTestOrganization,
  insertTestSamples,
  testWish,
} from "../testing/index.ts";
import { compareCosts, listCosts, listUsage } from "./index.ts";
import { askUsageOf, meterDue } from "./meter-due.sql.ts";

const hourMs = 3_600_000;
const minuteMs = 60_000;
/** The beginning of an hour, in the middle of a month. */
const start = new Date("2026-11-20T10:00:00Z");
const first = hourOf(start);

let database: TestDatabase;
let ctx: ServiceContext;
let clusterId: string;
let exposureId: string;
let balancerId: string;
let agentIds: string[];

beforeEach(async () => {
  await database?.drop();
  database = await createTestDatabase();
  ctx = { ...(await createTestOrganization(database.db)), now: start };
  const { cluster, pool } = await createTestCluster(ctx);
  clusterId = cluster.id;
  ({ id: exposureId } = await createExposure(ctx, testWish(pool, { labels: { team: "shop" } })));
  ({ id: balancerId } = await database.db.loadBalancer.findFirstOrThrow({ where: { exposureId } }));
  await database.db.loadBalancer.update({ where: { id: balancerId }, data: { createdAt: start } });
  agentIds = [];
  for (const ordinal of [0, 1]) {
    const { nodeId, agentId } = await createTestNode(ctx, clusterId, { name: `lb-${ordinal}`, roles: ["balancer"] });
    agentIds.push(agentId);
    const id = newId("replica");
    await database.db.replica.upsert({
      where: { loadBalancerId_ordinal: { loadBalancerId: balancerId, ordinal } },
      create: { id, loadBalancerId: balancerId, ordinal, nodeId, agentId },
      update: { nodeId, agentId },
    });
  }
});
afterAll(() => database.drop());

/** carry has replicas say, each minute of some, what they carried. */
async function carry(minutes: number, { from = start, agents = agentIds, bps = 8e6, live = 10, begun = 2 } = {}) {
  const points = (value: number) => Array.from({ length: minutes }, (_, i) => [i * minuteMs + 1_000, value] as const);
  const of = (metric: "throughputBps" | "connectionsLive" | "connectionsNewPerSecond", value: number) =>
    agents.map((agent) => ({ subjectId: balancerId, metric, labels: { agent }, points: points(value) }));
  await insertTestSamples({ ...ctx, now: from }, [
    ...of("throughputBps", bps),
    ...of("connectionsLive", live),
    ...of("connectionsNewPerSecond", begun),
  ]);
}

/** passTo does what controllers do until a moment: hours are rolled up half a minute after their last minute is. */
async function passTo(now: Date): Promise<number> {
  const partitions = new Partitions();
  for (const at of [new Date(now.getTime() - 45_000), now])
    for (let due = await dueRollups(database.db, at); due.length > 0; due = await dueRollups(database.db, at))
      for (const task of due) await rollUp(database.db, partitions, task, at);
  return meterDue(database.db, now);
}

const after = (hours: number, ms = 2 * minuteMs) => new Date(start.getTime() + hours * hourMs + ms);
const used = (hours: number) =>
  listUsage(
    { ...ctx, now: after(hours) },
    { step: "hour", groupBy: "loadBalancer", limit: 50, from: start, to: startOfHour(first + hours) },
  );
const usage = async (hours: number) => {
  const [group] = (await used(hours)).items;
  if (!group) throw new Error("nothing was metered");
  return group;
};

describe("usage", () => {
  it("is what all replicas carried in an hour, once it is over", async () => {
    await passTo(after(0));
    await carry(60);
    await passTo(after(1));
    expect((await usage(1)).points).toEqual([
      {
        at: start,
        balancerHours: 1,
        addressHours: expect.closeTo(1, 1),
        machineHours: 2,
        bytesIn: 2 * 1e6 * 3_600,
        connectionsNew: 2 * 2 * 3_600,
        connectionHours: 2 * 10,
        peakInBps: 2 * 8e6,
        measuredShare: 1,
      },
    ]);
  });

  it("is missing where nobody measured, and never zero", async () => {
    await passTo(after(0));
    await carry(30);
    await passTo(after(2));
    const { points } = await usage(2);
    expect(points.map(({ bytesIn, measuredShare }) => [bytesIn, measuredShare])).toEqual([
      [2 * 1e6 * 1_800, 0.5],
      [null, 0],
    ]);
  });

  it("counts a replica that is silent as missing", async () => {
    await passTo(after(0));
    await carry(60, { agents: agentIds.slice(0, 1) });
    await passTo(after(1));
    expect(await usage(1)).toMatchObject({ measuredShare: 0.5, bytesIn: 1e6 * 3_600 });
  });

  it("takes seldom samples for what they stand for", async () => {
    await database.db.$executeRaw`UPDATE node SET settings = settings || '{"sampleIntervalMs": 300000}'`;
    await passTo(after(0));
    const points = Array.from({ length: 12 }, (_, i) => [i * 5 * minuteMs + 1_000, 8e6] as const);
    await insertTestSamples(
      ctx,
      agentIds.map((agent) => ({ subjectId: balancerId, metric: "throughputBps" as const, labels: { agent }, points })),
    );
    await passTo(after(1));
    expect(await usage(1)).toMatchObject({ measuredShare: 1, bytesIn: 2 * 1e6 * 3_600 });
  });

  it("is corrected when samples come late, and the rest of the hour stays as it was found", async () => {
    await passTo(after(0));
    await carry(30);
    await passTo(after(1));
    const before = await usage(1);
    // Its replicas stand elsewhere by now, on a node that another balancer shares.
    await database.db.replica.updateMany({ where: { ordinal: 1 }, data: { nodeId: null, agentId: null } });
    const late = after(5);
    await insertTestSamples({ ...ctx, now: late }, [
      {
        subjectId: balancerId,
        metric: "throughputBps",
        labels: { agent: agentIds[0] ?? "" },
        points: Array.from(
          { length: 30 },
          (_, i) => [start.getTime() - late.getTime() + (30 + i) * minuteMs, 8e6] as const,
        ),
      },
    ]);
    await passTo(after(5, 10 * minuteMs));
    const corrected = await usage(1);
    expect([before.measuredShare, corrected.measuredShare]).toEqual([0.5, 0.75]);
    expect(corrected.bytesIn).toBe((before.bytesIn ?? 0) + 1e6 * 1_800);
    expect(corrected.machineHours).toBe(before.machineHours);
  });

  it("stays the same when it is metered again", async () => {
    await passTo(after(0));
    await carry(90);
    await passTo(after(3));
    const before = await used(3);
    await database.db.$executeRaw`UPDATE usage_hour SET bytes_in = 1 WHERE hour = ${first}`;
    expect(await askUsageOf(database.db, { from: start, to: after(9) }, after(3))).toBe(3);
    expect(await passTo(after(3))).toBe(1);
    expect(await used(3)).toEqual(before);
    await askUsageOf(database.db, { from: start, to: after(3) }, after(3));
    expect(await passTo(after(3))).toBe(0);
  });

  it("leaves no hour out that no controller was there for", async () => {
    await passTo(after(0));
    await passTo(after(60));
    await passTo(after(60));
    expect((await usage(60)).points.length).toBe(60);
  });

  it("keeps what a balancer used that is gone, to its last minutes", async () => {
    await passTo(after(0));
    await carry(20);
    await passTo(after(0, 21 * minuteMs));
    await database.db.loadBalancer.delete({ where: { id: balancerId } });
    await passTo(after(2));
    expect(await usage(2)).toMatchObject({
      name: "shop",
      balancerHours: expect.closeTo(21 / 60, 5),
      bytesIn: 2 * 1e6 * 20 * 60,
    });
  });
});

const price = (fields: Partial<PricePoint>): PricePoint => ({
  ...{ provider: "aws", region: "eu-central-1", sku: "c7g.large", unit: "hour", fromUnits: 0, micros: 80_000, per: 1 },
  ...{ currency: "USD", asOf: "2026-11-01", source: "https://example.com", confidence: "published" },
  ...fields,
});
const place: RunsAs = runsAs.parse({
  provider: "aws",
  region: "eu-central-1",
  machine: "c7g.large",
  machineShare: 0.5,
});
const costs = (hours: number, other: object = {}) =>
  listCosts(
    { ...ctx, now: after(hours) },
    {
      step: "all",
      groupBy: "exposure",
      limit: 50,
      currency: "USD",
      from: start,
      to: startOfHour(first + hours),
      ...other,
    },
  );

describe("costs", () => {
  it("of machines that nobody named are unknown, with what to do about it", async () => {
    await passTo(after(0));
    await passTo(after(2));
    const { items, knownShare } = await costs(2);
    expect(knownShare).toBe(0);
    expect(items).toMatchObject([
      {
        id: exposureId,
        name: "shop",
        micros: 0,
        reasons: [{ reason: expect.stringContaining("Runs as"), balancers: 1 }],
      },
    ]);
  });

  it("are machines by the price of each hour, and of hours from before the first price by that", async () => {
    await takeInPrices(
      database.db,
      { name: "t", points: [price({}), price({ asOf: "2026-11-21", micros: 90_000 })] },
      start,
    );
    await updateCluster(ctx, clusterId, { runsAs: place });
    await passTo(after(0));
    await passTo(after(16));
    // Ten to midnight of the 20th, then two hours of the 21st: two machines, half of each.
    const answer = await costs(16, { step: "day" });
    expect(answer).toMatchObject({ micros: 14 * 80_000 + 2 * 90_000, knownShare: 1 });
    expect(answer.items[0]?.points.map(({ micros }) => micros)).toEqual([14 * 80_000, 2 * 90_000]);
    expect(answer.prices.map(({ asOf }) => asOf)).toEqual(["2026-11-01", "2026-11-21"]);
  });

  it("are the same sum whatever they are grouped by, a label that is missing included", async () => {
    await takeInPrices(database.db, { name: "t", points: [price({})] }, start);
    await updateCluster(ctx, clusterId, { runsAs: place });
    await passTo(after(0));
    await passTo(after(3));
    const groups = ["organization", "cluster", "exposure", "loadBalancer", "label:team", "label:none"];
    const sums = await Promise.all(groups.map((groupBy) => costs(3, { groupBy })));
    expect(sums.map(({ micros }) => micros)).toEqual(groups.map(() => 240_000));
    expect(sums.map(({ items }) => items.map(({ id }) => id)).slice(4)).toEqual([["shop"], [null]]);
  });

  it("of a balancer that is gone follow what is said of its cluster by now", async () => {
    await takeInPrices(database.db, { name: "t", points: [price({})] }, start);
    await passTo(after(0));
    await passTo(after(2));
    await database.db.loadBalancer.delete({ where: { id: balancerId } });
    await updateCluster(ctx, clusterId, { runsAs: place });
    expect(await costs(2)).toMatchObject({ micros: 2 * 80_000, knownShare: 1 });
  });

  it("without a price name what is missing", async () => {
    await updateCluster(ctx, clusterId, { runsAs: place });
    await passTo(after(0));
    await passTo(after(1));
    expect((await costs(1)).items[0]?.reasons[0]?.reason).toContain("no price of c7g.large in eu-central-1 at AWS");
  });

  it("are never those of another organisation", async () => {
    await passTo(after(0));
    await passTo(after(1));
    const other = { ...(await createTestOrganization(database.db)), now: after(1) };
    const asked = { step: "all", groupBy: "exposure", limit: 50, from: start, to: after(1) } as const;
    expect((await listCosts(other, { ...asked, currency: "USD", clusterId })).items).toEqual([]);
    expect((await listUsage(other, { ...asked, exposureId })).items).toEqual([]);
  });
});

describe("a comparison", () => {
  const compared = (hours: number) =>
    compareCosts({ ...ctx, now: after(hours) }, { id: exposureId, days: 1, currency: "USD" });

  it("asks what the measured traffic would cost, beside what it costs", async () => {
    const prices = [price({}), price({ region: "us-east-1", sku: "nlb", micros: 22_500 })];
    const more = ["nlb-lcu-tcp", "public-ipv4"].map((sku) => price({ region: "us-east-1", sku, micros: 5_000 }));
    await takeInPrices(database.db, { name: "t", points: [...prices, ...more] }, start);
    await updateCluster(ctx, clusterId, { runsAs: { ...place, responseShare: 0.5 } });
    await passTo(after(0));
    await carry(60);
    await passTo(after(1));
    const { profile, measuredShare, today, options } = await compared(1);
    expect(measuredShare).toBe(1);
    expect(profile).toMatchObject({ averageMbps: 32, peakMbps: 32, responseShare: 0.5 });
    expect(today).toMatchObject({ micros: 80_000, monthlyMicros: 730 * 80_000, knownShare: 1 });
    expect(options.map(({ offerId }) => offerId)).toContain("aws-nlb");
  });

  it("says that nobody measured its traffic, rather than compare with none", async () => {
    await passTo(after(0));
    await passTo(after(1));
    expect(await compared(1)).toMatchObject({
      profile: null,
      options: [],
      notes: [expect.stringContaining("Nobody measured")],
    });
  });
});
