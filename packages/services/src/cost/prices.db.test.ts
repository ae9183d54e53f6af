import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import type { PricePoint } from "@fairlead/domain";
import { afterAll, beforeEach, expect, it } from "vitest";
import { admitToCalculator, listPricePoints, selectNewestPrices, takeInPrices } from "./index.ts";

let database: TestDatabase;
beforeEach(async () => {
  await database?.drop();
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const now = new Date("2026-11-25T12:00:00Z");
const point = (fields: Partial<PricePoint> = {}): PricePoint => ({
  provider: "aws",
  region: "us-east-1",
  sku: "clb",
  unit: "hour",
  fromUnits: 0,
  micros: 25_000,
  per: 1,
  currency: "USD",
  asOf: "2026-09-20",
  source: "https://example.com/prices",
  confidence: "published",
  ...fields,
});
const ctx = () => ({ db: database.db, now, clientAddress: "192.0.2.7" });
const list = { limit: 50, sort: "provider", direction: "asc" } as const;

it("takes a list in once, and again when it says something else", async () => {
  const points = [point(), point({ sku: "ipv4", micros: 5_000 })];
  expect(await takeInPrices(database.db, { name: "seed", points }, now)).toBe(2);
  expect(await takeInPrices(database.db, { name: "seed", points }, now)).toBe(0);
  const corrected = [point({ micros: 26_000 }), point({ sku: "ipv4", micros: 5_000 })];
  expect(await takeInPrices(database.db, { name: "seed", points: corrected }, now)).toBe(1);
  expect((await listPricePoints(ctx(), list)).items.map((each) => each.micros).sort()).toEqual([26_000, 5_000]);
});

it("keeps a price exactly, however small it is", async () => {
  const vm = point({ provider: "gcp", sku: "e2-micro", micros: 83_764_275, per: 10_000 });
  await takeInPrices(database.db, { name: "seed", points: [vm] }, now);
  expect(await selectNewestPrices(database.db)).toEqual([vm]);
});

it("reckons by the newest day of each thing, all its tiers together, and keeps what was before", async () => {
  const old = [point({ asOf: null, micros: 1 }), point({ asOf: "2024-01-01", micros: 2 })];
  const tiers = [point({ micros: 3 }), point({ fromUnits: 100, micros: 4 })];
  await takeInPrices(database.db, { name: "seed", points: [...old, ...tiers] }, now);
  expect((await selectNewestPrices(database.db)).map((each) => each.micros)).toEqual([1, 3, 4]);
  const { items, total } = await listPricePoints(ctx(), { ...list, sort: "asOf" });
  expect(total).toBe(4);
  expect(items.map((each) => each.asOf)).toEqual([null, "2024-01-01", "2026-09-20", "2026-09-20"]);
});

it("lets a stranger ask often, and tells one who asks without end when to come back", async () => {
  const asked = await Promise.allSettled(Array.from({ length: 61 }, () => admitToCalculator(ctx())));
  expect(asked.filter((each) => each.status === "rejected")).toMatchObject([
    { reason: { code: "rate-limited", message: expect.stringContaining("wait 1 s") } },
  ]);
  await expect(admitToCalculator({ ...ctx(), clientAddress: "192.0.2.8" })).resolves.toBeUndefined();
  await expect(admitToCalculator({ ...ctx(), now: new Date(now.getTime() + 1_000) })).resolves.toBeUndefined();
});
