import { PageLimit } from "@fairlead/http";
import { z } from "zod";
import { FeedRefused } from "../feed-refused.ts";
import { feedLimits } from "../open-fetcher.ts";
import { parseDocument } from "../parse-document.ts";
import type { FeedContext } from "../price-feed.ts";
import { checkCurrency, unknownUnit } from "../read-amount.ts";

const tier = z.object({
  startUsageAmount: z.number().default(0),
  unitPrice: z.object({
    currencyCode: z.string().optional(),
    /** Whole units of the currency. Google's APIs encode 64-bit numbers as text in JSON. */
    units: z.union([z.string(), z.number()]).optional(),
    nanos: z.number().optional(),
  }),
});
export type Tier = z.infer<typeof tier>;
const page = z.object({
  skus: z.array(
    z.object({
      description: z.string(),
      serviceRegions: z.array(z.string()).default([]),
      category: z.object({ usageType: z.string().optional() }).default({}),
      pricingInfo: z
        .array(z.object({ pricingExpression: z.object({ usageUnit: z.string(), tieredRates: z.array(tier) }) }))
        .default([]),
    }),
  ),
  nextPageToken: z.string().optional(),
});
export type Sku = z.infer<typeof page>["skus"][number];

export const currency = "USD";
const pageSize = 5_000;

/** skusOf reads the on-demand SKUs of a service page by page, without commitments and spot prices. */
export async function* skusOf(ctx: FeedContext, source: string, key: string): AsyncGenerator<Sku> {
  const pages = new PageLimit(feedLimits.mostDocuments, "The list of prices");
  let token = "";
  do {
    const query = new URLSearchParams({ currencyCode: currency, pageSize: String(pageSize) });
    if (token) query.set("pageToken", token);
    // In a header, because URLs are logged in many places.
    const answer = await ctx.fetchJson(`${source}?${query}`, { "x-goog-api-key": key });
    const { skus, nextPageToken = "" } = parseDocument(page, answer, "A page of prices");
    for (const each of skus) if ((each.category.usageType ?? "OnDemand") === "OnDemand") yield each;
    token = nextPageToken;
    if (token !== "") pages.next(token);
  } while (token !== "");
}

/** tiersOf returns the newest price tiers of a SKU, which are the last ones, and rejects an unknown unit. */
export function tiersOf({ pricingInfo }: Sku, units: readonly string[], about: string): Tier[] {
  const expression = pricingInfo.at(-1)?.pricingExpression;
  if (!expression || expression.tieredRates.length === 0) throw new FeedRefused("no-price", `No price for ${about}.`);
  if (!units.includes(expression.usageUnit)) throw unknownUnit(expression.usageUnit, units.join(" or "), about);
  for (const { unitPrice } of expression.tieredRates) checkCurrency(unitPrice.currencyCode, currency, about);
  return expression.tieredRates;
}

const perUnit = 1_000_000_000n;

/** nanosOf returns a price in billionths; null if both fields are absent, which means either unknown or 0. */
export function nanosOf({ unitPrice: { units, nanos } }: Tier, about: string): bigint | null {
  if (units === undefined && nanos === undefined) return null;
  const [whole, billionths] = [Number(units ?? 0), nanos ?? 0];
  if (whole < 0 || billionths < 0) throw new FeedRefused("negative-price", `Negative price for ${about}.`);
  if (!Number.isSafeInteger(whole) || !Number.isSafeInteger(billionths))
    throw new FeedRefused("malformed", `Invalid price "${String(units).slice(0, 40)}" for ${about}.`);
  return BigInt(whole) * perUnit + BigInt(billionths);
}
