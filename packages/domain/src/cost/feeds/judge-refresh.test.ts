import { describe, expect, it } from "vitest";
import type { PricePoint } from "../prices/price-point.ts";
import { type Decided, type FeedRead, judgeRefresh, keyOfPriced } from "./judge-refresh.ts";

const day = "2026-11-24";
const point = (fields: Partial<PricePoint> = {}): PricePoint => ({
  provider: "aws",
  region: "us-east-1",
  sku: "alb",
  unit: "hour",
  fromUnits: 0,
  micros: 22_500,
  per: 1,
  currency: "USD",
  asOf: "2026-09-20",
  source: "https://prices.example",
  confidence: "published",
  ...fields,
});
const fed = (fields: Partial<PricePoint> = {}) => point({ asOf: day, confidence: "fed", ...fields });
const read = (points: PricePoint[], fields: Partial<FeedRead> = {}): FeedRead => ({
  provider: "aws",
  points,
  asOf: day,
  source: "https://prices.example",
  regions: ["us-east-1", "eu-west-1"],
  skus: ["alb", "egress"],
  ...fields,
});
const kindsOf = (points: PricePoint[], known: PricePoint[] = [point()], decided: Decided[] = []) => {
  const { held, apply, appliedCount, unchangedCount, skippedCount } = judgeRefresh(read(points), known, decided);
  return {
    held: held.map(({ item, reasons }) => [item.region, ...reasons.map(({ kind }) => kind)]),
    applied: apply.map(({ micros }) => micros),
    counts: [appliedCount, unchangedCount, skippedCount],
  };
};

describe("a price in a feed", () => {
  it.each([
    ["moves by 30 %", 29_250, 22_500, []],
    ["rises by more", 29_251, 22_500, ["moved"]],
    ["falls by more", 15_749, 22_500, ["moved"]],
    ["became free", 0, 22_500, ["zero"]],
    ["was free", 22_500, 0, ["moved"]],
    ["stays free", 0, 0, null],
  ])("that %s", (_, micros, before, reasons) => {
    const { held, applied, counts } = kindsOf([fed({ micros })], [point({ micros: before })]);
    if (reasons === null) expect(counts).toEqual([0, 1, 0]);
    else if (reasons.length === 0) expect(applied).toEqual([micros]);
    else {
      expect(held).toEqual([["us-east-1", ...reasons]]);
      expect(applied).toEqual([]);
    }
  });

  it("that is new is accepted, if it is similar to other regions", () => {
    expect(kindsOf([fed(), fed({ region: "eu-west-1", micros: 25_200 })]).applied).toEqual([22_500, 25_200]);
  });

  it("that differs from other regions is held, as one that a provider really published", () => {
    const vm = { provider: "azure", sku: "Standard_D2as_v5" } as const;
    const known = [point({ ...vm, region: "westeurope", micros: 104_000 })];
    const feed = read([fed({ ...vm, region: "eastus", micros: 178_000 })], { provider: "azure", skus: [vm.sku] });
    expect(judgeRefresh(feed, known).held).toMatchObject([
      {
        item: { region: "eastus" },
        before: [],
        reasons: [
          {
            kind: "differs",
            message:
              "At 0.178 USD it is 71 % more than in other regions, where the median is 0.104; up to 50 % is accepted automatically.",
          },
        ],
      },
    ]);
  });

  it("is compared with known prices elsewhere, and not with another mistake in the same feed", () => {
    const known = [point({ sku: "nlb" })];
    const feed = [fed({ sku: "nlb", micros: 0 }), fed({ sku: "nlb", region: "eu-west-1", micros: 25_200 })];
    expect(kindsOf(feed, known)).toMatchObject({ held: [["us-east-1", "zero"]], applied: [25_200] });
  });

  it("is compared with the price of the wider region, if its own has none", () => {
    const wide = { provider: "azure", sku: "egress", unit: "GB" } as const;
    const feed = read([fed({ ...wide, region: "eastus", micros: 130_000 })], { provider: "azure", skus: ["egress"] });
    const { held } = judgeRefresh(feed, [point({ ...wide, region: "north-america", micros: 87_000 })]);
    expect(held[0]?.reasons).toMatchObject([
      { kind: "moved", message: expect.stringContaining("rises by 49 %, from 0.087 to 0.13 USD") },
    ]);
  });

  it("is compared tier by tier, and similar bounds count as the same", () => {
    const tiers = (prices: [number, number][], make: typeof fed) =>
      prices.map(([fromUnits, micros]) => make({ sku: "egress", unit: "GB", fromUnits, micros }));
    const known = tiers(
      [
        [0, 0],
        [100, 87_000],
        [10_240, 83_000],
        [153_600, 50_000],
      ],
      point,
    );
    expect(
      kindsOf(
        tiers(
          [
            [0, 0],
            [100, 87_000],
            [10_335, 83_000],
            [153_695, 50_000],
          ],
          fed,
        ),
        known,
      ).held,
    ).toEqual([]);
    const { held } = judgeRefresh(
      read(
        tiers(
          [
            [0, 0],
            [100, 87_000],
            [10_240, 120_000],
            [153_600, 50_000],
          ],
          fed,
        ),
      ),
      known,
    );
    expect(held).toMatchObject([
      { reasons: [{ kind: "moved", message: expect.stringContaining("beyond 10,240 GB, from 0.083 to 0.12 USD") }] },
    ]);
  });

  it("with an earlier date than the known one is held, unless it is the same", () => {
    const known = [point({ asOf: "2026-11-25" })];
    expect(kindsOf([fed()], known).counts).toEqual([0, 1, 0]);
    expect(kindsOf([fed({ micros: 23_000 })], known).held).toEqual([["us-east-1", "older"]]);
  });

  it("that is unchanged is stored again once the known one is a month old", () => {
    expect(kindsOf([fed()], [point({ asOf: "2026-11-01" })]).applied).toEqual([]);
    expect(kindsOf([fed()]).applied).toEqual([22_500]);
    expect(kindsOf([fed()], [point({ asOf: null, confidence: "uncertain" })]).applied).toEqual([22_500]);
    expect(kindsOf([fed({ micros: 2_250_000, per: 100 })], [point({ asOf: day })]).counts).toEqual([0, 1, 0]);
  });
});

describe("a price that a feed omits", () => {
  const known = [point(), point({ region: "eu-west-1" })];

  it("is held", () => {
    expect(kindsOf([fed()], known).held).toEqual([["eu-west-1", "missing"]]);
  });

  it("is ignored outside the requested regions, SKUs and currencies, and for own prices", () => {
    const others = [
      point({ region: "sa-east-1" }),
      point({ sku: "clb" }),
      point({ currency: "EUR" }),
      point({ region: "eu-west-1", confidence: "own" }),
      point({ provider: "oracle" }),
    ];
    expect(kindsOf([fed()], others).held).toEqual([]);
  });
});

describe("an earlier decision", () => {
  const decision = (after: PricePoint[], isAccepted: boolean, about = fed()): Decided => ({
    key: keyOfPriced(about),
    after,
    isAccepted,
  });

  it("applies again to the same rejected price, and to a price that is still missing", () => {
    const odd = fed({ micros: 90_000 });
    expect(kindsOf([odd], [point()], [decision([odd], false)])).toEqual({ held: [], applied: [], counts: [0, 0, 1] });
    const gone = decision([], true, fed({ region: "eu-west-1" }));
    expect(kindsOf([fed()], [point(), point({ region: "eu-west-1" })], [gone]).held).toEqual([]);
  });

  it("doesn't apply to another price, nor to the same one after it was accepted", () => {
    const odd = fed({ micros: 90_000 });
    expect(kindsOf([fed({ micros: 95_000 })], [point()], [decision([odd], false)]).held).toHaveLength(1);
    expect(kindsOf([odd], [point()], [decision([odd], true)]).held).toHaveLength(1);
  });
});

it("is fast for a thousand prices", () => {
  const many = Array.from({ length: 1_000 }, (_, i) => fed({ region: `r${i % 20}`, sku: `s${Math.floor(i / 20)}` }));
  const began = process.cpuUsage();
  judgeRefresh(read(many), many);
  judgeRefresh(read(many.map((each) => ({ ...each, micros: 40_000 }))), many);
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(2_000);
});
