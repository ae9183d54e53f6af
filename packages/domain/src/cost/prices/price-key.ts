import type { PricePoint } from "./price-point.ts";

/** priceKey identifies a price in one region, regardless of unit, tiers, currency and date. */
export function priceKey({ provider, region, sku }: Pick<PricePoint, "provider" | "region" | "sku">): string {
  return `${provider}\n${region}\n${sku}`;
}
