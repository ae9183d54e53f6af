import type { PricePoint, PriceUnit } from "@fairlead/domain";
import { z } from "zod";
import { FeedRefused } from "../feed-refused.ts";
import { parseDocument } from "../parse-document.ts";
import type { FeedContext, PriceFeed } from "../price-feed.ts";
import { checkCurrency, checkTiers, readAmount, readUnits, unknownUnit } from "../read-amount.ts";

const tier = z.object({
  startUsageAmount: z.number().default(0),
  unitPrice: z.object({
    currencyCode: z.string().optional(),
    /** Whole units of the currency; the JSON of Google's APIs has 64-bit numbers as text. */
    units: z.union([z.string(), z.number()]).optional(),
    nanos: z.number().optional(),
  }),
});
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
type Sku = z.infer<typeof page>["skus"][number];

const currency = "USD";
const networking = "E505-1604-58F8";
const pageSize = 5_000;

type Item = { sku: string; description: RegExp; unit: PriceUnit; units: readonly string[] };
const hours = { unit: "hour", units: ["h"] } as const;
const data = { unit: "GiB", units: ["GiBy"] } as const;

const items: readonly Item[] = [
  { sku: "forwarding-rules-5", description: /^Cloud Load Balancer Forwarding Rule Minimum Global$/, ...hours },
  { sku: "forwarding-rule-more", description: /^Cloud Load Balancer Forwarding Rule Additional Global$/, ...hours },
  {
    sku: "forwarding-rules-5",
    description: /^Regional External Application Load Balancer Forwarding Rule Minimum\b/,
    ...hours,
  },
  {
    sku: "forwarding-rule-more",
    description: /^Regional External Application Load Balancer Forwarding Rule Additional\b/,
    ...hours,
  },
  {
    sku: "lb-data-in",
    description: /^Regional External Application Load Balancer Inbound Data Processing\b/,
    ...data,
  },
  {
    sku: "lb-data-out",
    description: /^Regional External Application Load Balancer Outbound Data Processing\b/,
    ...data,
  },
];

/** gcpFeed reads forwarding rules and the data that balancers process. Machines are sold there by cores and memory, apart. */
export const gcpFeed: PriceFeed = {
  name: "gcp",
  url: "https://cloudbilling.googleapis.com",
  async read({ regions }, ctx) {
    if (ctx.key === null)
      throw new FeedRefused(
        "no-key",
        "Google answers nobody without a key: set FAIRLEAD_GCP_PRICE_KEY for the controller.",
      );
    const source = `${ctx.url}/v1/services/${networking}/skus`;
    const asOf = ctx.now.toISOString().slice(0, 10);
    const points: PricePoint[] = [];
    for await (const each of skusOf(ctx, source, ctx.key)) points.push(...readSku(each, regions, { source, asOf }));
    const skus = [...new Set(items.map(({ sku }) => sku))];
    return { provider: "gcp", points: checkTiers(points), asOf, source, regions: ["any", ...regions], skus };
  },
};

async function* skusOf(ctx: FeedContext, source: string, key: string): AsyncGenerator<Sku> {
  const seen = new Set<string>();
  let token = "";
  do {
    const query = new URLSearchParams({ currencyCode: currency, pageSize: String(pageSize) });
    if (token) query.set("pageToken", token);
    // A header, for addresses are written down in many places.
    const answer = await ctx.fetchJson(`${source}?${query}`, { "x-goog-api-key": key });
    const { skus, nextPageToken = "" } = parseDocument(page, answer, "A page of prices");
    yield* skus;
    if (seen.has(nextPageToken)) throw new FeedRefused("endless", "A page leads back to one that was read.");
    seen.add(nextPageToken);
    token = nextPageToken;
  } while (token !== "");
}

function readSku(each: Sku, regions: readonly string[], read: { source: string; asOf: string }): PricePoint[] {
  const item = items.find(({ description }) => description.test(each.description));
  if (!item || (each.category.usageType ?? "OnDemand") !== "OnDemand") return [];
  const places = each.serviceRegions.map((region) => (region === "global" ? "any" : region));
  return places
    .filter((region) => region === "any" || regions.includes(region))
    .flatMap((region) => {
      const about = `${item.sku} in ${region}`;
      // The newest comes last.
      const expression = each.pricingInfo.at(-1)?.pricingExpression;
      if (!expression || expression.tieredRates.length === 0)
        throw new FeedRefused("no-price", `It has no price of ${about}.`);
      if (!item.units.includes(expression.usageUnit))
        throw unknownUnit(expression.usageUnit, item.units.join(" or "), about);
      return expression.tieredRates.map(({ startUsageAmount, unitPrice }): PricePoint => {
        checkCurrency(unitPrice.currencyCode, currency, about);
        return {
          provider: "gcp",
          region,
          sku: item.sku,
          unit: item.unit,
          fromUnits: readUnits(startUsageAmount, about),
          ...readAmount(spell(unitPrice, about), about),
          currency,
          ...read,
          confidence: "fed",
        };
      });
    });
}

const nanoDigits = 9;

/** spell writes whole units and billionths as one number. Below zero, both are. */
function spell(
  { units, nanos }: { units?: string | number | undefined; nanos?: number | undefined },
  about: string,
): string | null {
  // Where both are nothing, Google leaves both out, as it does where it says nothing.
  if (units === undefined && nanos === undefined) return null;
  const [whole, billionths] = [Number(units ?? 0), nanos ?? 0];
  if (whole < 0 || billionths < 0)
    throw new FeedRefused("negative-price", `It says less than nothing for ${about}, which is no price.`);
  return `${whole}.${String(billionths).padStart(nanoDigits, "0")}`;
}
