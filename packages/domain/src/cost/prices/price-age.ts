/**
 * The age of a price: fresh up to 90 days, stale up to two years, which is noted. Older or undated prices are used as well,
 * because a product without a price would vanish from the comparison, and each option that uses them has a note.
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
