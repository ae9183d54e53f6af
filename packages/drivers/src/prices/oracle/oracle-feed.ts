import type { PricePoint, PriceUnit } from "@fairlead/domain/cost";
import { z } from "zod";
import { FeedRefused } from "../feed-refused.ts";
import { parseDocument } from "../parse-document.ts";
import type { PriceFeed } from "../price-feed.ts";
import { checkCurrency, checkTiers, dayOf, readAmount, readUnits, unknownUnit } from "../read-amount.ts";

const products = z.object({
  lastUpdated: z.string(),
  items: z.array(
    z.object({
      partNumber: z.string(),
      metricName: z.string().default(""),
      currencyCodeLocalizations: z
        .array(
          z.object({
            currencyCode: z.string(),
            prices: z.array(
              z.object({ model: z.string(), value: z.number().nullish(), rangeMin: z.number().nullish() }),
            ),
          }),
        )
        .default([]),
    }),
  ),
});
type Part = z.infer<typeof products>["items"][number];

const currency = "USD";
const path = "/pls/apex/cetools/api/v1/products/";

type Item = { region: string; sku: string; unit: PriceUnit; metric: RegExp };
const egress = { sku: "egress", unit: "GB", metric: /^gigabyte outbound/i } as const;

/** By Oracle's part numbers. Prices are the same in all regions of an area. */
const items: Record<string, Item> = {
  B93030: { region: "any", sku: "flexible-lb", unit: "hour", metric: /^load balancer/i },
  B93031: { region: "any", sku: "flexible-lb-bandwidth", unit: "Mbps-hour", metric: /^(mbps|megabits? per second)/i },
  B88327: { region: "na-eu-uk", ...egress },
  B93455: { region: "apac-japan-sa", ...egress },
  B93456: { region: "me-africa", ...egress },
};

/** oracleFeed reads the flexible balancer and data to the internet. The network balancer is free, so no list contains it. */
export const oracleFeed: PriceFeed = {
  name: "oracle",
  url: "https://apexapps.oracle.com",
  async read(_, ctx) {
    const source = `${ctx.url}${path}`;
    const answer = await ctx.fetchJson(`${source}?currencyCode=${currency}`);
    const list = parseDocument(products, answer, "The list of products");
    const asOf = dayOf(list.lastUpdated, "the list of products");
    const points = list.items.flatMap((part) => {
      const item = items[part.partNumber];
      return item ? readPart(part, item, { source, asOf }) : [];
    });
    const sold = Object.values(items);
    const [regions, skus] = [sold.map(({ region }) => region), sold.map(({ sku }) => sku)];
    return { provider: "oracle", points: checkTiers(points), asOf, source, regions, skus };
  },
};

function readPart(part: Part, { metric, ...item }: Item, read: { source: string; asOf: string }): PricePoint[] {
  const about = `${part.partNumber}, ${item.sku}`;
  if (!metric.test(part.metricName)) throw unknownUnit(part.metricName, `each ${item.unit}`, about);
  const localization = part.currencyCodeLocalizations.find(({ currencyCode }) => currencyCode === currency);
  if (!localization) checkCurrency(part.currencyCodeLocalizations[0]?.currencyCode, currency, about);
  const tiers = localization?.prices.filter(({ model }) => model === "PAY_AS_YOU_GO") ?? [];
  if (tiers.length === 0) throw new FeedRefused("no-price", `No price for ${about}.`);
  return tiers.map(({ value, rangeMin }) => ({
    provider: "oracle",
    ...item,
    fromUnits: readUnits(rangeMin ?? 0, about),
    ...readAmount(value, about),
    currency,
    ...read,
    confidence: "fed",
  }));
}
