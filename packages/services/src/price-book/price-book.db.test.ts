import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { type EstimateRequest, estimateRequest } from "@fairlead/domain/cost";
import { readPriceSeed } from "@fairlead/domain/cost/price-seed";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { estimateCost, importPrices, listOffers, listOwnPrices } from "../cost/index.ts";
import { createTestOrganization } from "../testing/index.ts";
import { machineSpec } from "../testing/price-book-nouns.ts";
import {
  createCurrencyRate,
  createNegotiatedPrice,
  createOwnMachine,
  deleteNegotiatedPrice,
  updateOwnMachine,
} from "./index.ts";

let database: TestDatabase;
let ctx: ServiceContext;
const seededAt = new Date("2026-11-20T08:00:00Z");
const now = new Date("2026-11-25T12:00:00Z");
beforeAll(async () => {
  database = await createTestDatabase();
  await importPrices(database.db, { name: "seed", points: readPriceSeed() }, seededAt);
});
beforeEach(async () => {
  ctx = { ...(await createTestOrganization(database.db)), now };
});
afterAll(() => database.drop());

const alb = { provider: "aws", region: "any", sku: "alb", note: "" } as const;
const less = (percent: number) => ({ kind: "discount" as const, percent });
const requestWith = (fields: object = {}): EstimateRequest =>
  estimateRequest.parse({ profile: { averageMbps: 0, newConnectionsPerSecond: 0 }, providers: ["aws"], ...fields });

async function albOf(by: { actor: ServiceContext["actor"]; organizationId: string } | null, fields: object = {}) {
  const answer = await estimateCost({ db: ctx.db, now, caller: by }, requestWith(fields));
  const { breakdown } = answer.options.find(({ offerId }) => offerId === "aws-alb") ?? { breakdown: [] };
  return { hour: breakdown[0]?.hourlyMicros, hasPriceBook: answer.hasPriceBook };
}

describe("a negotiated price", () => {
  it("applies to members of the organisation alone, at once, and no longer once deleted", async () => {
    const other = await createTestOrganization(database.db);
    expect(await albOf(ctx)).toEqual({ hour: 22_500, hasPriceBook: true });
    const { id } = await createNegotiatedPrice(ctx, { ...alb, price: less(20), validFrom: "2026-01-01" });
    expect(await albOf(ctx)).toEqual({ hour: 18_000, hasPriceBook: true });
    expect(await albOf(other)).toEqual({ hour: 22_500, hasPriceBook: true });
    expect(await albOf(null)).toEqual({ hour: 22_500, hasPriceBook: false });
    await deleteNegotiatedPrice(ctx, id);
    expect(await albOf(ctx)).toEqual({ hour: 22_500, hasPriceBook: true });
  });

  it("applies to a key only if it may read the book", async () => {
    await createNegotiatedPrice(ctx, { ...alb, price: less(20), validFrom: "2026-01-01" });
    const key = { kind: "api-key", id: "key_1", name: "k", role: "owner" } as const;
    const by = (scopes: ("price-book:read" | "cluster:read")[]) => ({ ...ctx, actor: { ...key, scopes } });
    expect(await albOf(by(["price-book:read"]))).toEqual({ hour: 18_000, hasPriceBook: true });
    expect(await albOf(by(["cluster:read"]))).toEqual({ hour: 22_500, hasPriceBook: false });
  });

  it("applies from its day on", async () => {
    const on = (validFrom: string, percent: number) =>
      createNegotiatedPrice(ctx, { ...alb, price: less(percent), validFrom });
    await on("2026-01-01", 20);
    await on("2026-11-25", 40);
    expect((await albOf(ctx)).hour).toBe(13_500);
    expect((await albOf(ctx, { pricesOf: "2026-11-24" })).hour).toBe(18_000);
    await expect(on("2026-11-25", 50)).rejects.toMatchObject({ code: "conflict", fields: [{ path: ["validFrom"] }] });
  });

  it.each([
    [{ ...alb, sku: "albb" }, "sku", /^AWS lists no price of albb\. It lists alb, .* more\.$/],
    [
      { ...alb, region: "us-esat-1" },
      "region",
      /^AWS lists no price of alb in us-esat-1\. It does in ap-northeast-1, .*us-east-1.*\.$/,
    ],
    [{ ...alb, provider: "own", sku: "alb" }, "sku", /only egress in any region/],
    [{ ...alb, provider: "own", sku: "egress", region: "here" }, "region", /only egress in any region/],
  ] as const)("of something that isn't listed is refused, with what is listed: %j", async (thing, field, says) => {
    const making = createNegotiatedPrice(ctx, { ...thing, price: less(1), validFrom: "2026-01-01" });
    await expect(making).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringMatching(says),
      fields: [{ path: [field] }],
    });
  });
});

describe("a machine of one's own", () => {
  it("is compared under its name, and hidden from other organisations", async () => {
    const { monthlyMicros } = await createOwnMachine(ctx, { ...machineSpec, name: "rack-7" });
    expect(monthlyMicros).toBe(100_000_000);
    const options = async (caller: ServiceContext | null) =>
      (await estimateCost({ db: ctx.db, now, caller }, requestWith({ providers: ["own"] }))).options.map(
        ({ offerId, monthlyMicros }) => [offerId, monthlyMicros],
      );
    expect(await options(ctx)).toContainEqual(["own-fairlead-rack-7", 200_000_000]);
    expect(await options(null)).toEqual([]);
    const offered = async (caller: ServiceContext | null) =>
      (await listOffers({ db: ctx.db, now, caller })).items.map(({ id }) => id);
    expect(await offered(ctx)).toContain("own-haproxy-rack-7");
    expect(await offered(null)).not.toContain("own-haproxy-rack-7");
  });

  it("can't cost nothing", async () => {
    const free = { ...machineSpec, name: "rack-8", purchaseMicros: 0 };
    const refusal = { code: "invalid", fields: [{ path: ["purchaseMicros"] }] };
    await expect(createOwnMachine(ctx, free)).rejects.toMatchObject(refusal);
    const { id } = await createOwnMachine(ctx, { ...free, purchaseMicros: 48_000_000 });
    await expect(updateOwnMachine(ctx, id, { purchaseMicros: 0 })).rejects.toMatchObject(refusal);
  });
});

describe("a currency rate", () => {
  it("converts for members, by the day of the prices, and is overridden by a rate in the request", async () => {
    await createCurrencyRate(ctx, { from: "EUR", to: "USD", rate: 2, asOf: "2026-11-01", source: "" });
    await createCurrencyRate(ctx, { from: "USD", to: "EUR", rate: 0.25, asOf: "2026-11-25", source: "" });
    const euros = { currency: "EUR" };
    expect((await albOf(ctx, { ...euros, pricesOf: "2026-11-24" })).hour).toBe(11_250);
    expect((await albOf(ctx, euros)).hour).toBe(5_625);
    const rates = [{ from: "USD", to: "EUR", rate: 0.8, asOf: "2026-01-01" }];
    expect((await albOf(ctx, { ...euros, rates })).hour).toBe(18_000);
    expect((await albOf(null, euros)).hour).toBeUndefined();
  });

  it("is unique per day and currency pair, in either direction", async () => {
    await createCurrencyRate(ctx, { from: "EUR", to: "USD", rate: 2, asOf: "2026-11-01", source: "" });
    const again = createCurrencyRate(ctx, { from: "USD", to: "EUR", rate: 0.5, asOf: "2026-11-01", source: "" });
    await expect(again).rejects.toMatchObject({ code: "conflict", fields: [{ path: ["asOf"] }] });
  });
});

it("is not in the prices of a member who may not read it", async () => {
  await createNegotiatedPrice(ctx, { ...alb, price: less(20), validFrom: "2026-01-01" });
  const own = await listOwnPrices(ctx);
  const viewer = { ...ctx, actor: { kind: "user", id: "usr_v", name: "V", role: "viewer" } as const };
  const seen = await listOwnPrices(viewer);
  expect([own.hasPriceBook, own.points.some(({ confidence }) => confidence === "own")]).toEqual([true, true]);
  expect([seen.hasPriceBook, seen.points.some(({ confidence }) => confidence === "own")]).toEqual([false, false]);
});

it("reports that a link has older prices where the book was changed since", async () => {
  const hasNewer = async () => (await listOwnPrices(ctx, "2026-11-24")).hasNewer;
  expect(await hasNewer()).toBe(false);
  await createNegotiatedPrice(ctx, { ...alb, price: less(20), validFrom: "2026-01-01" });
  expect(await hasNewer()).toBe(true);
});

it("has a limited number of entries", async () => {
  const data = Array.from({ length: 1_000 }, (_, n) => ({
    ...{ id: `rat_${n}${ctx.organizationId.slice(4)}`, organizationId: ctx.organizationId, source: "", rate: 1 },
    ...{ fromCurrency: "EUR", toCurrency: "USD", createdAt: now, updatedAt: now },
    asOf: new Date(Date.UTC(2020, 0, n)).toISOString().slice(0, 10),
  }));
  await database.db.currencyRate.createMany({ data });
  const one = { from: "GBP", to: "USD", rate: 2, asOf: "2026-11-01", source: "" };
  await expect(createCurrencyRate(ctx, one)).rejects.toMatchObject({ code: "exhausted" });
});
