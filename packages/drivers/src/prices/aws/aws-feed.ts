import type { PricePoint } from "@fairlead/domain/cost";
import { z } from "zod";
import { FeedRefused } from "../feed-refused.ts";
import { parseDocument } from "../parse-document.ts";
import type { FeedContext, PriceFeed } from "../price-feed.ts";
import { checkCurrency, checkTiers, dayOf, readAmount, readUnits, unknownUnit } from "../read-amount.ts";
import { awsSkus, itemsOf, offerCodes, type Product, product } from "./items.ts";
import { awsCurrency, awsPrices, findLists, newestDay, openOffers } from "./lists.ts";

// Describes only the fields that are read.
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

/** awsFeed reads load balancers, public addresses, endpoints and data transfer. Machines are a separate feed. */
export const awsFeed: PriceFeed = {
  name: "aws",
  url: awsPrices,
  async read({ regions }, ctx) {
    const offers = await openOffers(ctx);
    const points: PricePoint[] = [];
    for (const code of offerCodes)
      for (const { region, url } of await findLists(ctx, offers, code, regions))
        points.push(...(await readRegion(ctx, url, region)));
    const { source } = offers;
    return { provider: "aws", points: checkTiers(points), asOf: newestDay(points), source, regions, skus: awsSkus };
  },
};

async function readRegion(ctx: FeedContext, source: string, region: string): Promise<PricePoint[]> {
  const list = parseDocument(priceList, await ctx.fetchJson(source), `The price list of ${region}`);
  const asOf = dayOf(list.publicationDate, `the price list of ${region}`);
  return Object.entries(list.products).flatMap(([code, each]) =>
    itemsOf(each, region).flatMap((item) =>
      tiersOf(list, code, each).map(({ unit, beginRange, pricePerUnit }): PricePoint => {
        const about = `${item.sku} in ${region}`;
        if (!item.units.includes(unit)) throw unknownUnit(unit, item.units.join(" or "), about);
        checkCurrency(awsCurrency in pricePerUnit ? awsCurrency : Object.keys(pricePerUnit)[0], awsCurrency, about);
        return {
          provider: "aws",
          region,
          sku: item.sku,
          unit: item.unit,
          fromUnits: readUnits(beginRange, about),
          ...readAmount(pricePerUnit[awsCurrency], about),
          currency: awsCurrency,
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
  if (tiers.length === 0) throw new FeedRefused("no-price", `No price for ${attributes.usagetype}.`);
  return tiers;
}
