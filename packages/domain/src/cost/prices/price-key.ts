import type { PricePoint } from "./price-point.ts";

/** priceKey names what has a price, in one region, whatever its unit, tiers, currency and day. */
export function priceKey({ provider, region, sku }: Pick<PricePoint, "provider" | "region" | "sku">): string {
  return `${provider}\n${region}\n${sku}`;
}
