import type { Offer } from "../offers/offer.ts";
import type { CostOption } from "./estimate.ts";

/** Weighed is an option with its offer. */
export type Weighed = { option: CostOption; offer: Offer };

/** byFit orders options: those that fit first. */
export function byFit(a: Weighed, b: Weighed): number {
  return Number(b.option.fits) - Number(a.option.fits) || byPrice(a, b);
}

/**
 * byPrice orders options by cost. A minimum can't be compared, so incomplete bills come last. Among equals, Fairlead is
 * last, and layer 4 is before layer 7.
 */
export function byPrice(a: Weighed, b: Weighed): number {
  return (
    Number(a.option.missing.length > 0) - Number(b.option.missing.length > 0) ||
    a.option.monthlyMicros - b.option.monthlyMicros ||
    Number(a.offer.isOurs ?? false) - Number(b.offer.isOurs ?? false) ||
    a.offer.layer - b.offer.layer ||
    a.option.offerId.localeCompare(b.option.offerId) ||
    a.option.region.localeCompare(b.option.region)
  );
}
