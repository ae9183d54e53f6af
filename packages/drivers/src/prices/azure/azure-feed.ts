import type { PricePoint } from "@fairlead/domain/cost";
import { PageLimit } from "@fairlead/http";
import { z } from "zod";
import { FeedRefused } from "../feed-refused.ts";
import { feedLimits } from "../open-fetcher.ts";
import { parseDocument } from "../parse-document.ts";
import type { FeedContext, PriceFeed } from "../price-feed.ts";
import { checkCurrency, checkTiers, readAmount, readUnits, unknownUnit } from "../read-amount.ts";
import { azureQueries, azureSkus, itemOf, type Meter, meter } from "./items.ts";

const page = z.object({
  BillingCurrency: z.string(),
  NextPageLink: z.string().nullish(),
  Items: z.array(meter),
});

const currency = "USD";
const path = "/api/retail/prices";
const version = "2023-01-01-preview";

/** azureFeed reads the retail prices of balancers, gateways, addresses, data to the internet and machines. */
export const azureFeed: PriceFeed = {
  name: "azure",
  url: "https://prices.azure.com",
  async read({ regions }, ctx) {
    const points: PricePoint[] = [];
    const asOf = ctx.now.toISOString().slice(0, 10);
    for (const filter of azureQueries(regions))
      for await (const [each, source] of metersOf(ctx, filter)) points.push(...readMeter(each, source, asOf));
    return {
      provider: "azure",
      points: checkTiers(points.filter(({ region }) => region === "any" || regions.includes(region))),
      asOf,
      source: `${ctx.url}${path}`,
      regions: ["any", ...regions],
      skus: azureSkus,
    };
  },
};

/** metersOf reads all pages of a response. It rejects a link to another server or to an earlier page. */
async function* metersOf(ctx: FeedContext, filter: string): AsyncGenerator<[Meter, string]> {
  const query = new URLSearchParams({ "api-version": version, currencyCode: currency, $filter: filter });
  let next: string | null = `${ctx.url}${path}?${query}`;
  const pages = new PageLimit(feedLimits.mostDocuments, "The list of prices");
  while (next !== null) {
    const answer: z.infer<typeof page> = parseDocument(page, await ctx.fetchJson(next), "A page of prices");
    checkCurrency(answer.BillingCurrency, currency, "a page of prices");
    for (const each of answer.Items) yield [each, `${ctx.url}${path}`];
    next = answer.NextPageLink ? within(ctx, answer.NextPageLink) : null;
    if (next !== null) pages.next(next);
  }
}

function within({ url }: FeedContext, given: string): string {
  const address = URL.parse(given);
  // The links contain the default port.
  if (address?.origin === new URL(url).origin) return address.href;
  throw new FeedRefused("elsewhere", `A page links to another server, ${address?.host ?? "without an address"}.`);
}

function readMeter(each: Meter, source: string, asOf: string): PricePoint[] {
  const item = itemOf(each);
  if (!item) return [];
  const region = each.armRegionName === "Global" ? "any" : each.armRegionName;
  const about = `${item.sku} in ${region}`;
  checkCurrency(each.currencyCode, currency, about);
  if (!item.units.includes(each.unitOfMeasure)) throw unknownUnit(each.unitOfMeasure, item.units.join(" or "), about);
  return [
    {
      provider: "azure",
      region,
      sku: item.sku,
      unit: item.unit,
      fromUnits: readUnits(each.tierMinimumUnits, about),
      ...readAmount(each.retailPrice, about),
      currency,
      asOf,
      source,
      confidence: "fed",
    },
  ];
}
