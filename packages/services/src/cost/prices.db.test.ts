import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import type { PricePoint } from "@fairlead/domain/cost";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { admitToCalculator, importPrices, listPricePoints, listPrices, selectPricesOf } from "./index.ts";

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
const today = { day: "2026-11-25", knownAt: now };
const list = { limit: 50, sort: "provider", direction: "asc" } as const;

it("records a list once, and again when it changed", async () => {
  const points = [point(), point({ sku: "ipv4", micros: 5_000 })];
  expect(await importPrices(database.db, { name: "seed", points }, now)).toBe(2);
  expect(await importPrices(database.db, { name: "seed", points }, now)).toBe(0);
  const corrected = [point({ micros: 26_000 }), point({ sku: "ipv4", micros: 5_000 })];
  expect(await importPrices(database.db, { name: "seed", points: corrected }, now)).toBe(1);
  expect((await listPricePoints(ctx(), list)).items.map((each) => each.micros).sort()).toEqual([26_000, 5_000]);
});

it("keeps a price exactly, however small it is", async () => {
  const vm = point({ provider: "gcp", sku: "e2-micro", micros: 83_764_275, per: 10_000 });
  await importPrices(database.db, { name: "seed", points: [vm] }, now);
  expect(await selectPricesOf(database.db, today)).toEqual([vm]);
});

it("uses the newest day of each thing, all its tiers together, and keeps earlier prices", async () => {
  const old = [point({ asOf: null, micros: 1 }), point({ asOf: "2024-01-01", micros: 2 })];
  const tiers = [point({ micros: 3 }), point({ fromUnits: 100, micros: 4 })];
  await importPrices(database.db, { name: "seed", points: [...old, ...tiers] }, now);
  expect((await selectPricesOf(database.db, today)).map((each) => each.micros)).toEqual([1, 3, 4]);
  const { items, total } = await listPricePoints(ctx(), { ...list, sort: "asOf" });
  expect(total).toBe(4);
  expect(items.map((each) => each.asOf)).toEqual([null, "2024-01-01", "2026-09-20", "2026-09-20"]);
});

describe("prices of another moment", () => {
  const first = new Date("2026-11-20T08:00:00Z");
  const second = new Date("2026-11-22T08:00:00Z");
  const take = (points: PricePoint[], at: Date) => importPrices(database.db, { name: "seed", points }, at);
  const micros = async (pricesOf?: string) =>
    (await listPrices(ctx(), pricesOf)).points.map((each) => each.micros).sort((a, b) => a - b);

  it("are as they were known then, whatever a later list has for the same day, for none or for a newer one", async () => {
    const undated = { sku: "egress", asOf: null, confidence: "uncertain" } as const;
    await take([point(), point({ sku: "ipv4", micros: 5_000 }), point({ ...undated, micros: 90_000 })], first);
    const newer = point({ micros: 28_000, asOf: "2026-11-21" });
    await take([newer, point({ sku: "ipv4", micros: 6_000 }), point({ ...undated, micros: 80_000 })], second);
    expect(await micros()).toEqual([6_000, 28_000, 80_000]);
    for (const then of ["2026-11-20", "2026-11-21", "2026-11-20T08:00:00Z", "2026-11-22T08:59:59.999+01:00"])
      expect(await micros(then), then).toEqual([5_000, 25_000, 90_000]);
    for (const then of ["2026-11-22", "2026-11-25", "2026-11-22T08:00:00Z"])
      expect(await micros(then), then).toEqual([6_000, 28_000, 80_000]);
  });

  it("are as they were before the last of several corrections, and before they were deleted", async () => {
    await take([point()], first);
    await take([point({ micros: 26_000 })], second);
    await take([point({ micros: 27_000 })], now);
    await database.db.pricePoint.deleteMany();
    expect(await micros("2026-11-21")).toEqual([25_000]);
    expect(await micros("2026-11-24")).toEqual([26_000]);
  });

  it("report whether there are newer ones", async () => {
    await take([point(), point({ micros: 30_000, asOf: "2026-11-23" })], first);
    const hasNewer = async (pricesOf?: string) => (await listPrices(ctx(), pricesOf)).hasNewer;
    expect(await micros("2026-11-22")).toEqual([25_000]);
    expect(await hasNewer("2026-11-22")).toBe(true);
    expect(await hasNewer("2026-11-23")).toBe(false);
    expect(await hasNewer()).toBe(false);
    await take([point({ sku: "alb" })], second);
    expect(await hasNewer("2026-11-22T07:00:00Z")).toBe(true);
    expect(await hasNewer("2026-11-24")).toBe(false);
  });

  it("from before the first or after today are refused with what to do", async () => {
    await take([point()], first);
    const refusal = (pricesOf: string) => listPrices(ctx(), pricesOf).catch((error: unknown) => error);
    expect(await refusal("2026-11-19")).toMatchObject({
      code: "invalid",
      message:
        "No prices of 2026-11-19 are available: the first were stored on 2026-11-20. Omit pricesOf for today's prices.",
      fields: [{ path: ["pricesOf"] }],
    });
    expect(await refusal("2026-11-26")).toMatchObject({ code: "invalid", fields: [{ path: ["pricesOf"] }] });
    expect(await refusal("0000-01-01")).toMatchObject({ code: "invalid", fields: [{ path: ["pricesOf"] }] });
    // The clock of the link's author may be a little ahead.
    expect(await micros("2026-11-25T12:00:30Z")).toEqual([25_000]);
  });
});

it("allows an anonymous client many requests, and returns when to retry to one over the limit", async () => {
  const admissions = await Promise.allSettled(Array.from({ length: 61 }, () => admitToCalculator(ctx())));
  expect(admissions.filter((each) => each.status === "rejected")).toMatchObject([
    { reason: { code: "rate-limited", message: expect.stringContaining("wait 1 s") } },
  ]);
  await expect(admitToCalculator({ ...ctx(), clientAddress: "192.0.2.8" })).resolves.toBeUndefined();
  await expect(admitToCalculator({ ...ctx(), now: new Date(now.getTime() + 1_000) })).resolves.toBeUndefined();
});
