import { newId } from "@fairlead/domain";
import type { Role } from "@fairlead/domain/access";
import { type PricePoint, type RunsAs, runsAs, startOfHour } from "@fairlead/domain/cost";
import { readPriceSeed } from "@fairlead/domain/cost/price-seed";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { updateCluster } from "../cluster/index.ts";
import { importPrices } from "../cost/index.ts";
import { createNegotiatedPrice } from "../price-book/index.ts";
import { createTestOrganization } from "../testing/index.ts";
import { compareCosts, listCosts, listUsage } from "./index.ts";
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
    { ...stage.ctx, now: after(hours) },
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
  it("of machines without a type are unknown, with what to do about it", async () => {
    await passTo(stage, after(0));
    await passTo(stage, after(2));
    const { items, knownShare } = await costs(2);
    expect(knownShare).toBe(0);
    expect(items).toMatchObject([
      {
        id: stage.exposureId,
        name: "shop",
        micros: 0,
        reasons: [{ reason: expect.stringContaining("Runs as"), balancers: 1 }],
      },
    ]);
  });

  it("are machine hours at the price of each hour, and hours before the first price at that price", async () => {
    await importPrices(
      stage.database.db,
      { name: "t", points: [price({}), price({ asOf: "2026-11-21", micros: 90_000 })] },
      start,
    );
    await updateCluster(stage.ctx, stage.clusterId, { runsAs: place });
    await passTo(stage, after(0));
    await passTo(stage, after(16));
    // Ten to midnight of the 20th, then two hours of the 21st: two machines, half of each.
    const answer = await costs(16, { step: "day" });
    expect(answer).toMatchObject({ micros: 14 * 80_000 + 2 * 90_000, knownShare: 1 });
    expect(answer.items[0]?.points.map(({ micros }) => micros)).toEqual([14 * 80_000, 2 * 90_000]);
    expect(answer.prices.map(({ asOf }) => asOf)).toEqual(["2026-11-01", "2026-11-21"]);
  });

  it("are the same sum for every grouping, including a missing label", async () => {
    await importPrices(stage.database.db, { name: "t", points: [price({})] }, start);
    await updateCluster(stage.ctx, stage.clusterId, { runsAs: place });
    await passTo(stage, after(0));
    await passTo(stage, after(3));
    const groups = ["organization", "cluster", "exposure", "loadBalancer", "label:team", "label:none"];
    const sums = await Promise.all(groups.map((groupBy) => costs(3, { groupBy })));
    expect(sums.map(({ micros }) => micros)).toEqual(groups.map(() => 240_000));
    expect(sums.map(({ items }) => items.map(({ id }) => id)).slice(4)).toEqual([["shop"], [null]]);
  });

  it("of a deleted balancer follow its cluster's current settings", async () => {
    await importPrices(stage.database.db, { name: "t", points: [price({})] }, start);
    await passTo(stage, after(0));
    await passTo(stage, after(2));
    await stage.database.db.loadBalancer.delete({ where: { id: stage.balancerId } });
    await updateCluster(stage.ctx, stage.clusterId, { runsAs: place });
    expect(await costs(2)).toMatchObject({ micros: 2 * 80_000, knownShare: 1 });
  });

  it("of a provider's balancer are what it counted, in both directions", async () => {
    await asCloud(stage);
    const skus = { nlb: 20_000, "nlb-lcu-tcp": 6_000, "public-ipv4": 5_000 };
    const points = Object.entries(skus).map(([sku, micros]) => price({ sku, micros }));
    await importPrices(stage.database.db, { name: "t", points }, start);
    await updateCluster(stage.ctx, stage.clusterId, { runsAs: place });
    await passTo(stage, after(0));
    // The second hour has no data.
    const carried = { bothWaysBps: (8e9 * 5) / 3_600, connectionsLive: 1, connectionsNewPerSecond: 1 };
    await carry(stage, 60, { agents: ["cloud"], carried });
    await passTo(stage, after(2));
    const answer = await costs(2);
    expect(answer.knownShare).toBeCloseTo(0.5, 6);
    expect(answer.micros).toBe(2 * (20_000 + 5_000) + 5 * 6_000);
    expect(answer.items[0]?.reasons).toMatchObject([{ reason: expect.stringContaining("Cloud metrics") }]);
  });

  it("without a price name what is missing", async () => {
    await updateCluster(stage.ctx, stage.clusterId, { runsAs: place });
    await passTo(stage, after(0));
    await passTo(stage, after(1));
    expect((await costs(1)).items[0]?.reasons[0]?.reason).toContain("no price of c7g.large in eu-central-1 at AWS");
  });

  it("are list prices for members who may not read the price book", async () => {
    await importPrices(stage.database.db, { name: "t", points: [price({})] }, start);
    await updateCluster(stage.ctx, stage.clusterId, { runsAs: place });
    const { ctx } = stage;
    const thing = { provider: "aws", region: "any", sku: "c7g.large", note: "" } as const;
    await createNegotiatedPrice(ctx, { ...thing, price: { kind: "discount", percent: 50 }, validFrom: "2020-01-01" });
    await passTo(stage, after(0));
    await passTo(stage, after(1));
    const hour = { from: start, to: startOfHour(first + 1) };
    const query = { step: "all", groupBy: "exposure", limit: 50, currency: "USD", ...hour } as const;
    const comparison = { id: stage.exposureId, days: 1, currency: "USD" };
    const seenBy = async (role: Role) => {
      const member = { ...ctx, now: after(1), actor: { kind: "user", id: "usr_m", name: "M", role } as const };
      const [costs, compared] = [await listCosts(member, query), await compareCosts(member, comparison)];
      expect(compared.hasPriceBook).toBe(costs.hasPriceBook);
      return [costs.hasPriceBook, costs.micros, compared.today?.micros];
    };
    expect(await seenBy("operator")).toEqual([true, 40_000, 40_000]);
    expect(await seenBy("viewer")).toEqual([false, 80_000, 80_000]);
  });

  it("are never those of another organisation", async () => {
    await passTo(stage, after(0));
    await passTo(stage, after(1));
    const other = { ...(await createTestOrganization(stage.database.db)), now: after(1) };
    const query = { step: "all", groupBy: "exposure", limit: 50, from: start, to: after(1) } as const;
    expect((await listCosts(other, { ...query, currency: "USD", clusterId: stage.clusterId })).items).toEqual([]);
    expect((await listUsage(other, { ...query, exposureId: stage.exposureId })).items).toEqual([]);
  });
});

describe("a comparison", () => {
  const compared = (hours: number) =>
    compareCosts({ ...stage.ctx, now: after(hours) }, { id: stage.exposureId, days: 1, currency: "USD" });

  it("shows what the measured traffic would cost, next to what it costs", async () => {
    const prices = [price({}), price({ region: "us-east-1", sku: "nlb", micros: 22_500 })];
    const more = ["nlb-lcu-tcp", "public-ipv4"].map((sku) => price({ region: "us-east-1", sku, micros: 5_000 }));
    await importPrices(stage.database.db, { name: "t", points: [...prices, ...more] }, start);
    await updateCluster(stage.ctx, stage.clusterId, { runsAs: { ...place, responseShare: 0.5 } });
    await passTo(stage, after(0));
    await carry(stage, 60);
    await passTo(stage, after(1));
    const { profile, measuredShare, today, options, noBalancer, priceDates } = await compared(1);
    expect(measuredShare).toBe(1);
    expect(noBalancer).toMatchObject({ fits: null, grade: "unknown", requiredMbps: 32 });
    expect(priceDates.oldest).not.toBeNull();
    expect(profile).toMatchObject({ averageMbps: 32, peakMbps: 32, responseShare: 0.5 });
    expect(today).toMatchObject({ micros: 80_000, monthlyMicros: 730 * 80_000, knownShare: 1 });
    expect(options.map(({ offerId }) => offerId)).toContain("aws-nlb");
  });

  it("is about the time in which the exposure existed, and not about whole hours", async () => {
    await importPrices(stage.database.db, { name: "t", points: [price({})] }, start);
    await updateCluster(stage.ctx, stage.clusterId, { runsAs: { ...place, responseShare: 0.5 } });
    const createdAt = after(0, 49 * minuteMs);
    await stage.database.db.loadBalancer.update({ where: { id: stage.balancerId }, data: { createdAt } });
    await passTo(stage, after(0, 50 * minuteMs));
    await carry(stage, 11, { from: createdAt });
    await passTo(stage, after(1));
    const { profile, measuredShare, today } = await compared(1);
    expect(measuredShare).toBe(1);
    expect(profile).toMatchObject({ averageMbps: 32, peakMbps: 32, newConnectionsPerSecond: 4, activeConnections: 20 });
    expect(today?.monthlyMicros).toBeCloseTo(730 * 80_000, -4);
  });

  it("counts none of Fairlead's own probes as connections of clients", async () => {
    const { db } = stage.database;
    await updateCluster(stage.ctx, stage.clusterId, { runsAs: { ...place, responseShare: 0.5 } });
    const announced = { organizationId: stage.ctx.organizationId, clusterId: stage.clusterId, observedAt: start };
    for (const [n, agentId] of stage.agentIds.entries()) {
      await db.balancerStatus.create({ data: { agentId, address: "", engine: "nftables", observedAt: start } });
      // Each agent is also the speaker of its node, and announces the balancer's address.
      const route = { prefix: "198.51.100.1/32", nextHop: `10.0.0.${n + 1}`, state: "offered", stateSince: start };
      const of = { id: newId("announcement"), agentId, loadBalancerId: stage.balancerId };
      await db.announcement.create({ data: { ...announced, ...route, ...of } });
    }
    await passTo(stage, after(0));
    await carry(stage, 60, { carried: { throughputBps: 8e6, connectionsLive: 10, connectionsNewPerSecond: 7 } });
    await passTo(stage, after(1));
    const { profile, notes } = await compared(1);
    // Five a second and replica, of the one port over TCP.
    expect(profile?.newConnectionsPerSecond).toBe(4);
    expect(notes).toEqual([
      expect.stringContaining("subtracted from new connections: 10 per second"),
      expect.stringContaining("Traffic includes Fairlead's own probes"),
    ]);
  });

  it("includes the recommendations, however many are cheaper", async () => {
    await importPrices(stage.database.db, { name: "t", points: readPriceSeed() }, start);
    await updateCluster(stage.ctx, stage.clusterId, { runsAs: { ...place, responseShare: 0.5, internetShare: 0.5 } });
    await passTo(stage, after(0));
    await carry(stage, 60);
    await passTo(stage, after(1));
    const { advice, options } = await compared(1);
    const proven = advice.proven;
    expect(proven).not.toBeNull();
    const at = options.findIndex(({ offerId, region }) => offerId === proven?.offerId && region === proven.region);
    expect(at).toBeGreaterThanOrEqual(12);
    expect(options.length).toBeGreaterThan(12);
  });

  it("reports that the traffic was not measured, rather than compare with none", async () => {
    await passTo(stage, after(0));
    await passTo(stage, after(1));
    expect(await compared(1)).toMatchObject({
      profile: null,
      options: [],
      notes: [expect.stringContaining("No traffic was measured")],
    });
  });
});
