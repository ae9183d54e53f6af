import type { PricePoint } from "@fairlead/domain/cost";
import { FeedRefused } from "../feed-refused.ts";
import type { PriceFeed } from "../price-feed.ts";
import { checkTiers, readAmount, readUnits } from "../read-amount.ts";
import { items } from "./items.ts";
import { machineSizes, Parts } from "./machines.ts";
import { currency, nanosOf, type Sku, skusOf, type Tier, tiersOf } from "./skus.ts";

const networking = "E505-1604-58F8";
const compute = "6F81-5844-456A";

/** gcpFeed reads forwarding rules, data processed by balancers, and machines, which are priced by cores and memory. */
export const gcpFeed: PriceFeed = {
  name: "gcp",
  url: "https://cloudbilling.googleapis.com",
  async read({ regions }, ctx) {
    if (ctx.key === null)
      throw new FeedRefused("no-key", "Google requires a key: set FAIRLEAD_GCP_PRICE_KEY for the controller.");
    const asOf = ctx.now.toISOString().slice(0, 10);
    const sourceOf = (service: string) => `${ctx.url}/v1/services/${service}/skus`;
    const source = sourceOf(networking);
    const points: PricePoint[] = [];
    for await (const each of skusOf(ctx, source, ctx.key)) points.push(...readSku(each, regions, { source, asOf }));
    const parts = new Parts();
    for await (const each of skusOf(ctx, sourceOf(compute), ctx.key)) parts.add(each, regions);
    points.push(...parts.machines(regions, { source: sourceOf(compute), asOf }));
    const skus = [...new Set(items.map(({ sku }) => sku)), ...machineSizes];
    return { provider: "gcp", points: checkTiers(points), asOf, source, regions: ["any", ...regions], skus };
  },
};

function readSku(each: Sku, regions: readonly string[], read: { source: string; asOf: string }): PricePoint[] {
  const item = items.find(({ description }) => description.test(each.description));
  if (!item) return [];
  const places = each.serviceRegions.map((region) => (region === "global" ? "any" : region));
  return places
    .filter((region) => region === "any" || regions.includes(region))
    .flatMap((region) => {
      const about = `${item.sku} in ${region}`;
      return tiersOf(each, item.units, about).map(
        (tier): PricePoint => ({
          ...{ provider: "gcp", region, sku: item.sku, unit: item.unit },
          fromUnits: readUnits(tier.startUsageAmount, about),
          ...readAmount(spell(tier, about), about),
          ...{ currency, ...read, confidence: "fed" },
        }),
      );
    });
}

const nanoDigits = 9;

function spell(tier: Tier, about: string): string | null {
  const nanos = nanosOf(tier, about);
  if (nanos === null) return null;
  const text = String(nanos).padStart(nanoDigits + 1, "0");
  return `${text.slice(0, -nanoDigits)}.${text.slice(-nanoDigits)}`;
}
