import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { hourOf, type PricePoint } from "@fairlead/domain/cost";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { importPrices } from "../cost/index.ts";
import { readPriceList } from "../cost/read-price-list.ts";
import { createNegotiatedPrice } from "../price-book/index.ts";
import { createTestOrganization } from "../testing/index.ts";
import { pricesBetween } from "./prices-at.ts";

let database: TestDatabase;
let ctx: ServiceContext;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = await createTestOrganization(database.db);
});
afterAll(() => database.drop());

const now = new Date("2026-11-25T12:00:00Z");
const hourOn = (day: number) => hourOf(new Date(`2026-11-${String(day).padStart(2, "0")}T06:00:00Z`));
const price = (fields: Partial<PricePoint>): PricePoint => ({
  ...{ provider: "aws", region: "eu-central-1", sku: "c7g.large", unit: "hour", fromUnits: 0, micros: 80_000, per: 1 },
  ...{ currency: "USD", asOf: "2026-11-01", source: "https://example.com", confidence: "published" },
  ...fields,
});

it("returns the prices of each day, and reads them once for all days", async () => {
  const days = Array.from({ length: 20 }, (_, index) => `2026-11-${String(index + 2).padStart(2, "0")}`);
  const points = [
    ...days.map((asOf, index) => price({ asOf, micros: 80_000 + index })),
    price({ asOf: "2026-10-01", micros: 70_000 }),
    price({ asOf: "2026-09-01", micros: 60_000 }),
    price({ sku: "nlb", asOf: "2026-11-10", micros: 20_000 }),
    price({ sku: "public-ipv4", asOf: null, micros: 5_000 }),
    price({ sku: "alb", asOf: "2026-12-24", micros: 1 }),
  ];
  await importPrices(database.db, { name: "t", points }, new Date("2026-11-22T00:00:00Z"));
  const book = { provider: "aws", region: "any", note: "" } as const;
  const agreed = { ...book, sku: "c7g.large", price: { kind: "discount" as const, percent: 50 } };
  await createNegotiatedPrice({ ...ctx, now }, { ...agreed, validFrom: "2026-11-15" });

  let queries = 0;
  const counted = new Proxy(database.db, {
    get(target, name) {
      if (name === "$queryRaw") queries++;
      return Reflect.get(target, name, target);
    },
  });
  const { organizationId } = ctx;
  const pricesAt = await pricesBetween(counted, organizationId, { from: hourOn(1), to: hourOn(30) }, "USD", now);
  // The prices, and the three lists of the price book.
  expect(queries).toBe(4);

  for (const day of [1, 2, 9, 10, 14, 15, 21, 25]) {
    const { catalogue, day: from } = pricesAt(hourOn(day));
    const list = await readPriceList(database.db, { organizationId, day: from, knownAt: now });
    const found = ["c7g.large", "nlb", "public-ipv4"].map((sku) => catalogue.find("aws", "eu-central-1", sku, "USD"));
    const listed = list.points.find(
      ({ sku, confidence }) => sku === "c7g.large" && confidence === (day < 15 ? "published" : "own"),
    );
    expect(found[0]?.tiers).toEqual([{ fromUnits: 0, micros: (listed?.micros ?? 0) / (listed?.per ?? 1) }]);
    expect(found[0]?.tiers[0]?.micros).toBe(day === 1 ? 70_000 : (80_000 + Math.min(day, 21) - 2) / (day < 15 ? 1 : 2));
    // Before it is listed, the current price counts.
    expect(found[1]?.tiers).toEqual([{ fromUnits: 0, micros: 20_000 }]);
    expect(found[2]?.tiers).toEqual([{ fromUnits: 0, micros: 5_000 }]);
  }
  expect(pricesAt(hourOn(25)).catalogue.find("aws", "eu-central-1", "alb", "USD")).toBeNull();
});
