import type { PricePoint } from "@fairlead/domain";
import { z } from "zod";
import { FeedRefused } from "../feed-refused.ts";
import { parseDocument } from "../parse-document.ts";
import type { FeedContext, PriceFeed } from "../price-feed.ts";
import { checkCurrency, checkTiers, dayOf, readAmount, readUnits, unknownUnit } from "../read-amount.ts";
import { awsSkus, itemsOf, offerCodes, type Product, product } from "./items.ts";

// The bulk price list: an index of services, for each an index of regions, for each a file. Only what is read is described.
const offerIndex = z.object({ offers: z.record(z.string(), z.object({ currentRegionIndexUrl: z.string() })) });
const regionIndex = z.object({ regions: z.record(z.string(), z.object({ currentVersionUrl: z.string() })) });
const dimension = z.object({
  unit: z.string(),
  beginRange: z.string().default("0"),
  pricePerUnit: z.record(z.string(), z.string()),
});
const priceList = z.object({
  publicationDate: z.string(),
  products: z.record(z.string(), product),
  terms: z.object({
    OnDemand: z
      .record(z.string(), z.record(z.string(), z.object({ priceDimensions: z.record(z.string(), dimension) })))
      .default({}),
  }),
});
type PriceList = z.infer<typeof priceList>;

const currency = "USD";
const indexPath = "/offers/v1.0/aws/index.json";

/** awsFeed reads load balancers, public addresses, endpoints and data transfer; the list of machines is far too long. */
export const awsFeed: PriceFeed = {
  name: "aws",
  url: "https://pricing.us-east-1.amazonaws.com",
  async read({ regions }, ctx) {
    const source = `${ctx.url}${indexPath}`;
    const { offers } = parseDocument(offerIndex, await ctx.fetchJson(source), "The index of offers");
    const points: PricePoint[] = [];
    for (const code of offerCodes) {
      const offer = offers[code];
      if (!offer) throw new FeedRefused("malformed", `The index of offers doesn't name ${code}.`);
      const url = within(ctx, offer.currentRegionIndexUrl);
      const index = parseDocument(regionIndex, await ctx.fetchJson(url), `The regions of ${code}`);
      for (const region of regions) {
        const listed = index.regions[region];
        if (listed) points.push(...(await readRegion(ctx, within(ctx, listed.currentVersionUrl), region)));
      }
    }
    const asOf = points.reduce((day, point) => (point.asOf !== null && point.asOf > day ? point.asOf : day), "");
    return { provider: "aws", points: checkTiers(points), asOf, source, regions, skus: awsSkus };
  },
};

/** within takes an address of an index, relative or whole, and never one of another server. */
function within({ url }: FeedContext, given: string): string {
  const address = given.startsWith("/") ? URL.parse(`${url}${given}`) : URL.parse(given, `${url}${indexPath}`);
  if (address?.origin === new URL(url).origin) return address.href;
  throw new FeedRefused(
    "elsewhere",
    `The index leads to ${address?.host ?? `"${given.slice(0, 60)}"`}, which isn't asked.`,
  );
}

async function readRegion(ctx: FeedContext, source: string, region: string): Promise<PricePoint[]> {
  const list = parseDocument(priceList, await ctx.fetchJson(source), `The price list of ${region}`);
  const asOf = dayOf(list.publicationDate, `the price list of ${region}`);
  return Object.entries(list.products).flatMap(([code, each]) =>
    itemsOf(each, region).flatMap((item) =>
      tiersOf(list, code, each).map(({ unit, beginRange, pricePerUnit }): PricePoint => {
        const about = `${item.sku} in ${region}`;
        if (!item.units.includes(unit)) throw unknownUnit(unit, item.units.join(" or "), about);
        checkCurrency(currency in pricePerUnit ? currency : Object.keys(pricePerUnit)[0], currency, about);
        return {
          provider: "aws",
          region,
          sku: item.sku,
          unit: item.unit,
          fromUnits: readUnits(beginRange, about),
          ...readAmount(pricePerUnit[currency], about),
          currency,
          asOf,
          source,
          confidence: "fed",
        };
      }),
    ),
  );
}

function tiersOf({ terms }: PriceList, code: string, { attributes }: Product) {
  const offers = Object.values(terms.OnDemand[code] ?? {});
  const tiers = offers.flatMap(({ priceDimensions }) => Object.values(priceDimensions));
  if (tiers.length === 0) throw new FeedRefused("no-price", `It has no price of ${attributes.usagetype}.`);
  return tiers;
}
