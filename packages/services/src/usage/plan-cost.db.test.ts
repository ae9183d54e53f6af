import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import type { PricePoint } from "@fairlead/domain/cost";
import { type CreateExposure, planExposureCost as schema } from "@fairlead/domain/exposure";
import { afterAll, beforeAll, expect, it } from "vitest";
import { updateCluster } from "../cluster/index.ts";
import type { ServiceContext } from "../context.ts";
import { importPrices } from "../cost/index.ts";
import { writeInstances } from "../instance/write-instances.sql.ts";
import { createNegotiatedPrice } from "../price-book/index.ts";
import { createTestCluster, createTestOrganization } from "../testing/index.ts";
import { planExposureCost } from "./index.ts";

let database: TestDatabase;
let ctx: ServiceContext;
let [clusterId, poolId] = ["", ""];
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = await createTestOrganization(database.db);
  const { cluster, pool } = await createTestCluster(ctx, "192.0.2.0/24", "kubernetes");
  [clusterId, poolId] = [cluster.id, pool.id];
  const skus = { "c7g.large": 80_000, nlb: 20_000, "nlb-lcu-tcp": 6_000, "public-ipv4": 5_000 };
  const points = Object.entries(skus).map(([sku, micros]) => price(sku, micros));
  await importPrices(database.db, { name: "t", points }, ctx.now);
});
afterAll(() => database.drop());

const price = (sku: string, micros: number): PricePoint => ({
  ...{ provider: "aws", region: "eu-central-1", sku, unit: "hour", fromUnits: 0, micros, per: 1, currency: "USD" },
  ...{ asOf: "2020-01-01", source: "https://example.com", confidence: "published" },
});
const plan = (strategy: object, by = ctx) =>
  planExposureCost(
    by,
    schema.parse({
      ...{ clusterId, name: "shop", ports: [{ port: 80 }], strategy },
      workload: { kind: "stateful-set", name: "db" } satisfies Partial<CreateExposure["workload"]>,
    }),
  );

it("is unknown until the machines of the cluster are set, and says where", async () => {
  expect(await plan({ type: "ecmp", poolId })).toMatchObject({
    hourlyMicros: null,
    reason: expect.stringContaining('Set them under "Runs as" of the cluster.'),
  });
});

it("is what the strategy, its replicas and the instances of now need", async () => {
  await updateCluster(ctx, clusterId, {
    runsAs: {
      provider: "aws",
      region: "eu-central-1",
      machine: "c7g.large",
      machineShare: 0.5,
      zones: 1,
      responseShare: null,
      internetShare: 0,
    },
  });
  expect(await plan({ type: "ecmp", poolId, replicas: 3 })).toMatchObject({
    hourlyMicros: 3 * 40_000,
    items: [{ item: "Machines c7g.large", quantity: 1.5 }],
    balancerCount: 1,
    priceDates: { oldest: "2020-01-01", newest: "2020-01-01" },
  });
  const dedicated = { type: "per-replica", addressing: "dedicated" };
  expect(await plan(dedicated)).toMatchObject({ hourlyMicros: 25_000, perInstance: true, balancerCount: 1 });
  const instances = [0, 1, 2].map((i) => ({
    ...{ name: `default/db-${i}`, workload: "stateful-set default/db", ready: i === 0, labels: {} },
    ...{ nodeName: "node-1", addresses: ["10.1.0.1"], weight: 1 },
  }));
  await writeInstances(
    database.db,
    { organizationId: ctx.organizationId, clusterId, source: newId("agent"), instances },
    ctx.now,
  );
  expect(await plan(dedicated)).toMatchObject({ hourlyMicros: 3 * 25_000, balancerCount: 3, paysForTraffic: true });
  // All balancers share the machines. Each has its part of them, rounded.
  const shared = await plan({ type: "per-replica", addressing: "balancer", poolId, replicas: 2 });
  expect(shared.balancerCount).toBe(3);
  expect(shared.hourlyMicros).toBeCloseTo(2 * 40_000, -1);
  expect(await plan({ type: "cloud", provider: "aws", scheme: "internal" })).toMatchObject({ hourlyMicros: 20_000 });
  expect(await plan({ type: "cloud", provider: "gcp" })).toMatchObject({ hourlyMicros: null });
});

it("is by list prices for members who may not read the price book", async () => {
  const own = { provider: "aws", region: "any", sku: "nlb", note: "", validFrom: "2020-01-01" } as const;
  await createNegotiatedPrice(ctx, { ...own, price: { kind: "discount", percent: 50 } });
  const internal = { type: "cloud", provider: "aws", scheme: "internal" };
  const viewer = { ...ctx, actor: { kind: "user", id: "usr_m", name: "M", role: "viewer" } as const };
  expect(await plan(internal)).toMatchObject({ hourlyMicros: 10_000, hasPriceBook: true });
  expect(await plan(internal, viewer)).toMatchObject({ hourlyMicros: 20_000, hasPriceBook: false });
});
