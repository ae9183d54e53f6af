import { z } from "zod";
import { FeedRefused } from "../feed-refused.ts";
import { parseDocument } from "../parse-document.ts";
import type { FeedContext } from "../price-feed.ts";
import { checkCurrency, unknownUnit } from "../read-amount.ts";

const tier = z.object({
  startUsageAmount: z.number().default(0),
  unitPrice: z.object({
    currencyCode: z.string().optional(),
    /** Whole units of the currency; the JSON of Google's APIs has 64-bit numbers as text. */
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

/** skusOf reads what a service sells, page by page, as far as it isn't sold in advance or while nobody else wants it. */
export async function* skusOf(ctx: FeedContext, source: string, key: string): AsyncGenerator<Sku> {
  const seen = new Set<string>();
  let token = "";
  do {
    const query = new URLSearchParams({ currencyCode: currency, pageSize: String(pageSize) });
    if (token) query.set("pageToken", token);
    // A header, for addresses are written down in many places.
    const answer = await ctx.fetchJson(`${source}?${query}`, { "x-goog-api-key": key });
    const { skus, nextPageToken = "" } = parseDocument(page, answer, "A page of prices");
    for (const each of skus) if ((each.category.usageType ?? "OnDemand") === "OnDemand") yield each;
    if (seen.has(nextPageToken)) throw new FeedRefused("endless", "A page leads back to one that was read.");
    seen.add(nextPageToken);
    token = nextPageToken;
  } while (token !== "");
}

/** tiersOf are the prices of one for a unit that is known. The newest of them comes last. */
export function tiersOf({ pricingInfo }: Sku, units: readonly string[], about: string): Tier[] {
  const expression = pricingInfo.at(-1)?.pricingExpression;
  if (!expression || expression.tieredRates.length === 0)
    throw new FeedRefused("no-price", `It has no price of ${about}.`);
  if (!units.includes(expression.usageUnit)) throw unknownUnit(expression.usageUnit, units.join(" or "), about);
  for (const { unitPrice } of expression.tieredRates) checkCurrency(unitPrice.currencyCode, currency, about);
  return expression.tieredRates;
}

const perUnit = 1_000_000_000n;

/** nanosOf is a price in billionths. Where Google says nothing, it leaves both of its parts out, and so it does for 0. */
export function nanosOf({ unitPrice: { units, nanos } }: Tier, about: string): bigint | null {
  if (units === undefined && nanos === undefined) return null;
  const [whole, billionths] = [Number(units ?? 0), nanos ?? 0];
  if (whole < 0 || billionths < 0)
    throw new FeedRefused("negative-price", `It says less than nothing for ${about}, which is no price.`);
  if (!Number.isSafeInteger(whole) || !Number.isSafeInteger(billionths))
    throw new FeedRefused("malformed", `It says "${String(units).slice(0, 40)}" for ${about}, which is no price.`);
  return BigInt(whole) * perUnit + BigInt(billionths);
}
