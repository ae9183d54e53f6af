import { z } from "zod";
import { plainText } from "../../plain-text.ts";
import { capacityFigure } from "../offers/capacity-figure.ts";
import { constraint, constraints } from "../offers/constraint.ts";
import { currencyCode } from "../prices/currency-code.ts";
import { currencyRate } from "../prices/currency-rate.ts";
import { priceDates } from "../prices/price-dates.ts";
import { confidence, provider } from "../prices/price-point.ts";
import { trafficProfile } from "../traffic/traffic-profile.ts";
import { grade, grades } from "./grade.ts";
import { noBalancer } from "./no-balancer.ts";

const micros = z.int().describe("Millionths of the currency.");

const item = z
  .object({
    item: z.string(),
    quantity: z.number().describe("Average quantity per hour."),
    unit: z.string(),
    unitPriceMicros: z.number(),
    hourlyMicros: micros,
  })
  .meta({ id: "CostItem" });
export type CostItem = z.infer<typeof item>;

const band = z
  .object({ lowMicros: micros, typicalMicros: micros, highMicros: micros })
  .describe(
    "The cost of an hour on average, at the same average and peak. low: the minimum, with constant traffic. typical: with a daily cycle. high: the maximum, with traffic that is either at its peak or zero.",
  );

export const costOption = z
  .object({
    offerId: z.string(),
    provider,
    product: z.string(),
    region: z.string(),
    hourlyMicros: micros,
    monthlyMicros: micros,
    currency: z.string(),
    band,
    breakdown: z.array(item),
    dominantDimension: z.string().nullable().describe("What the price mostly depends on."),
    missing: z
      .array(z.object({ item: z.string(), reason: z.string() }))
      .describe("Items without a known price. If there are any, all amounts are minimums."),
    fits: z.boolean(),
    grade: grade.nullable().describe("null if it doesn't fit."),
    reasons: z.array(z.string()).describe("Why it fits or doesn't, in up to five sentences."),
    conditions: z.array(z.string()).describe("Rules and quotas of its provider that you have to meet."),
    elastic: z.string().nullable().describe("Where its provider documents that it scales with traffic."),
    capacity: z.array(capacityFigure),
    prices: z.array(z.object({ sku: z.string(), asOf: z.string().nullable(), source: z.string(), confidence })),
  })
  .meta({ id: "CostOption" });
export type CostOption = z.infer<typeof costOption>;

const crossing = z
  .object({
    averageMbps: z.number(),
    below: z.object({ offerId: z.string(), region: z.string() }),
    above: z.object({ offerId: z.string(), region: z.string() }),
  })
  .meta({ id: "BreakEven" });
export type BreakEven = z.infer<typeof crossing>;

const place = z.object({ offerId: z.string(), region: z.string() });

const recommendation = place
  .extend({
    reasons: z.array(z.string()).describe("Up to five sentences."),
    tiedWith: z
      .array(place)
      .describe("All others of the same grade at the same cost: other offers, and the same offer in other regions."),
  })
  .meta({ id: "CostRecommendation" });
export type Recommendation = z.infer<typeof recommendation>;

export const advice = z
  .object({
    proven: recommendation.nullable().describe("The cheapest option whose capacity is proven."),
    likely: recommendation.nullable().describe("The cheapest option whose capacity is likely."),
  })
  .meta({ id: "CostAdvice" });
export type Advice = z.infer<typeof advice>;

const unpriced = z
  .object({ offerId: z.string(), provider, product: z.string(), region: z.string(), reason: z.string() })
  .meta({ id: "UnpricedOffer" });
export type UnpricedOffer = z.infer<typeof unpriced>;

export const estimate = z
  .object({
    noBalancer: noBalancer.describe(
      "Whether one backend is enough. Consider this first. It has no amount: the bills of options include data and addresses, which are billed to the backends without a balancer.",
    ),
    options: z
      .array(costOption)
      .describe(
        "Options that fit come first, then those with a complete bill, then the cheapest. Fairlead is never the first of equal ones.",
      ),
    unpriced: z.array(unpriced).describe("Offers without a usable price, and why."),
    withoutPrices: z
      .array(z.object({ provider, region: z.string() }))
      .describe("Where no option of a provider has a usable price."),
    priceDates: priceDates.describe("The dates of the prices of options that fit; null if none has a date."),
    advice,
    breakEven: z.array(crossing).describe("Where another option becomes the cheapest as traffic grows."),
  })
  .meta({ id: "CostEstimate" });
export type Estimate = z.infer<typeof estimate>;

export const estimateAnswer = estimate
  .extend({
    pricesOf: z.iso
      .datetime()
      .describe("The time of the prices. A request with this as pricesOf returns exactly the same result."),
    hasPriceBook: z.boolean().describe("Whether your organisation's price book was used."),
  })
  .meta({ id: "CostEstimateAnswer" });
export type EstimateAnswer = z.infer<typeof estimateAnswer>;

export const estimateRequest = z
  .strictObject({
    profile: trafficProfile,
    regions: z.array(plainText(64).min(1)).max(32).default([]).describe("If empty: all regions."),
    providers: z.array(provider).max(16).default([]).describe("If empty: all providers."),
    grades: z.array(grade).max(grades.length).default([]).describe("If empty: all options, also those that don't fit."),
    constraints: z.array(constraint).max(constraints.length).default([]),
    currency: currencyCode.default("USD"),
    rates: z
      .array(currencyRate)
      .max(16)
      .default([])
      .describe("Exchange rates for prices in other currencies. They override those of the price book."),
    pricesOf: z
      .union([z.iso.date(), z.iso.datetime({ offset: true })], "enter a day such as 2026-01-31, or a time")
      .optional()
      .describe("Use the prices known at this time; for a day, at its end. Default: now."),
  })
  .meta({ id: "EstimateRequest" });
export type EstimateRequest = z.infer<typeof estimateRequest>;
