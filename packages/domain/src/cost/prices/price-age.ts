/**
 * How old a price may be. Up to 90 days it is fresh. Up to two years it is stale: still used, and said to be. Beyond, or
 * without a date, it is used as well, because a product without a price would vanish from the comparison, and each
 * option that rests on it tells so first.
 */
export const staleAfterDays = 90;
export const oldAfterDays = 2 * 365;

export type PriceAge = "fresh" | "stale" | "old" | "undated";

const dayMs = 86_400_000;

export function ageOfPrice(asOf: string | null, now: Date): PriceAge {
  if (asOf === null) return "undated";
  const days = (now.getTime() - Date.parse(asOf)) / dayMs;
  if (days <= staleAfterDays) return "fresh";
  return days <= oldAfterDays ? "stale" : "old";
}
