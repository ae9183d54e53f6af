import { type CostItem, type CostOption, type Estimate, estimateRequest } from "../estimate/estimate.ts";
import { estimateCosts } from "../estimate/estimate-costs.ts";
import { type BookMachine, compileCatalogue } from "../prices/catalogue.ts";
import type { PricePoint } from "../prices/price-point.ts";
import { readPriceSeed } from "../prices/seed/read-price-seed.ts";
import type { TrafficProfileInput } from "../traffic/traffic-profile.ts";

export const seedPoints = readPriceSeed();
export const seedDay = new Date("2026-11-25T12:00:00Z");
export const seedCatalogue = compileCatalogue(seedPoints, { now: seedDay });

/** estimateFor prices a profile with the built-in prices, and additional ones. */
export function estimateFor(
  profile: TrafficProfileInput,
  rest: Record<string, unknown> = {},
  more: PricePoint[] = [],
  machines: BookMachine[] = [],
): Estimate {
  const catalogue =
    more.length > 0 ? compileCatalogue([...seedPoints, ...more], { now: seedDay, machines }) : seedCatalogue;
  return estimateCosts(estimateRequest.parse({ profile, ...rest }), catalogue);
}

export function optionOf(estimate: Estimate, offerId: string, region?: string): CostOption {
  const found = estimate.options.find((each) => each.offerId === offerId && (!region || each.region === region));
  if (!found)
    throw new Error(`no ${offerId}: ${JSON.stringify(estimate.unpriced.filter((o) => o.offerId === offerId))}`);
  return found;
}

export function itemOf(option: CostOption, name: string): CostItem {
  const found = option.breakdown.find(({ item }) => item.startsWith(name));
  if (!found) throw new Error(`no ${name} in ${JSON.stringify(option.breakdown)}`);
  return found;
}

/** pointOf is an additional price point with defaults. */
export function pointOf(point: Partial<PricePoint> & Pick<PricePoint, "provider" | "sku">): PricePoint {
  return {
    region: "any",
    unit: "hour",
    fromUnits: 0,
    micros: 10_000,
    per: 1,
    currency: "USD",
    asOf: "2026-11-01",
    source: "https://prices.example",
    confidence: "published",
    ...point,
  };
}
