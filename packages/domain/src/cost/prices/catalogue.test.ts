import { describe, expect, it } from "vitest";
import { pointOf, seedCatalogue } from "../testing/seeded.ts";
import { compileCatalogue } from "./catalogue.ts";
import type { PricePoint } from "./price-point.ts";

const now = new Date("2026-11-25T12:00:00Z");
const alb = (point: Partial<PricePoint>) => pointOf({ provider: "aws", sku: "alb", region: "us-east-1", ...point });
const find = (points: PricePoint[], region = "us-east-1", currency = "USD") =>
  compileCatalogue(points, { now }).find("aws", region, "alb", currency);

it("uses the newest price", () => {
  const points = [
    alb({ asOf: "2026-03-01", micros: 2 }),
    alb({ asOf: "2026-09-01", micros: 3 }),
    alb({ asOf: null, micros: 1 }),
  ];
  expect(find(points)?.tiers).toEqual([{ fromUnits: 0, micros: 3 }]);
});

it("uses the tiers of the newest date, continued by undated ones", () => {
  const points = [
    alb({ asOf: "2026-03-01", fromUnits: 0, micros: 9 }),
    alb({ asOf: "2026-03-01", fromUnits: 50, micros: 8 }),
    alb({ asOf: "2026-09-01", fromUnits: 0, micros: 7 }),
    alb({ asOf: "2026-09-01", fromUnits: 100, micros: 6 }),
    alb({ asOf: null, fromUnits: 70, micros: 5, confidence: "uncertain" }),
    alb({ asOf: null, fromUnits: 200, micros: 4, confidence: "uncertain" }),
  ];
  expect(find(points)?.tiers).toEqual([
    { fromUnits: 0, micros: 7 },
    { fromUnits: 100, micros: 6 },
    { fromUnits: 200, micros: 4 },
  ]);
});

it("prefers an own price, even an older one of a wider region", () => {
  const points = [alb({ micros: 2 }), alb({ region: "any", asOf: "2019-01-01", micros: 1, confidence: "own" })];
  expect(find(points)?.tiers[0]?.micros).toBe(1);
});

it("falls back to the price of the wider region", () => {
  const points = [alb({ region: "any", micros: 5 })];
  expect(find(points, "eu-west-1")?.region).toBe("any");
  expect(seedCatalogue.find("gcp", "us-central1", "egress", "USD")?.region).toBe("north-america");
  expect(seedCatalogue.find("hetzner", "fsn1", "cx22", "USD")?.region).toBe("eu");
  expect(seedCatalogue.find("gcp", "europe-west1", "egress", "USD")).toBeNull();
});

it("prefers the requested currency, and otherwise returns another one", () => {
  const points = [alb({ currency: "EUR", micros: 2 }), alb({ currency: "USD", micros: 3 })];
  expect(find(points)?.tiers[0]?.micros).toBe(3);
  expect(find(points, "us-east-1", "EUR")?.tiers[0]?.micros).toBe(2);
  expect(find(points, "us-east-1", "GBP")?.currency).toBe("EUR");
});

it("has no price without one for the first unit", () => {
  expect(find([alb({ fromUnits: 10 })])).toBeNull();
  expect(find([])).toBeNull();
});

describe("the age of a price", () => {
  it.each([
    ["2026-11-25", "fresh"],
    ["2025-11-26", "fresh"],
    ["2025-11-24", "old"],
    [null, "undated"],
  ])("%s is %s", (asOf, age) => {
    expect(find([alb({ asOf, confidence: "uncertain" })])?.age).toBe(age);
  });
});
