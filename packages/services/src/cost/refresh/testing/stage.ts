import type { TestDatabase } from "@fairlead/db/testing";
import type { FeedRead, PricePoint, PriceRefreshDetail } from "@fairlead/domain/cost";
import type { ServiceContext } from "../../../context.ts";
import { importPrices, selectNewestPrices } from "../../index.ts";
import { claimPriceRefresh, finishPriceRefresh, getPriceRefresh, startPriceRefresh } from "../index.ts";

export const now = new Date("2026-11-25T12:00:00Z");
export const later = (ms: number) => new Date(now.getTime() + ms);
export const dayMs = 86_400_000;

export function price(fields: Partial<PricePoint> = {}): PricePoint {
  return {
    provider: "aws",
    region: "us-east-1",
    sku: "alb",
    unit: "hour",
    fromUnits: 0,
    micros: 22_500,
    per: 1,
    currency: "USD",
    asOf: "2026-09-20",
    source: "https://seed.example",
    confidence: "published",
    ...fields,
  };
}

/** feedWith is a feed with these prices, by sku, that was read for an ALB and an NLB. */
export function feedWith(micros: Record<string, number>, day = "2026-11-24"): FeedRead {
  const source = "https://feed.example";
  return {
    provider: "aws",
    asOf: day,
    source,
    regions: ["us-east-1"],
    skus: ["alb", "nlb"],
    points: Object.entries(micros).map(([sku, each]) =>
      price({ sku, micros: each, asOf: day, source, confidence: "fed" }),
    ),
  };
}

/** clearPrices leaves a database without prices but for three of the seed. */
export async function clearPrices({ db }: Pick<TestDatabase, "db">): Promise<void> {
  await db.priceRefresh.deleteMany();
  await db.pricePoint.deleteMany();
  await db.priceList.deleteMany();
  await db.auditEntry.deleteMany();
  await db.event.deleteMany();
  const points = [price(), price({ sku: "nlb" }), price({ region: "eu-west-1" })];
  await importPrices(db, { name: "seed", points }, now);
}

export type Stage = {
  /** refresh requests a feed, finishes it with this result, and returns the refresh's id. */
  refresh: (read: FeedRead, at?: Date) => Promise<string>;
  get: (id: string) => Promise<PriceRefreshDetail>;
  /** counts is what a thing costs now, by its tiers. */
  counts: (sku: string, region?: string) => Promise<number[]>;
};

export function stageOf(ctx: ServiceContext): Stage {
  return {
    async refresh(read, at = now) {
      const { id } = await startPriceRefresh({ ...ctx, now: at }, { feed: "aws" });
      const claimed = await claimPriceRefresh(ctx.db, at);
      if (claimed?.id !== id) throw new Error("another refresh waits");
      if (!(await finishPriceRefresh(ctx.db, claimed, { read }, at))) throw new Error("it was taken over");
      return id;
    },
    get: (id) => getPriceRefresh(ctx, id),
    async counts(sku, region = "us-east-1") {
      const prices = await selectNewestPrices(ctx.db);
      return prices.filter((each) => each.sku === sku && each.region === region).map((each) => each.micros);
    },
  };
}
