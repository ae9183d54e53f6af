/**
 * The age of a price: fresh up to a year, old after that. Old or undated prices are used as well, because a product without a
 * price would vanish from the comparison, and each option that uses them has a note.
 */
export const oldAfterDays = 365;

export type PriceAge = "fresh" | "old" | "undated";

const dayMs = 86_400_000;

export function ageOfPrice(asOf: string | null, now: Date): PriceAge {
  if (asOf === null) return "undated";
  const days = (now.getTime() - Date.parse(asOf)) / dayMs;
  return days <= oldAfterDays ? "fresh" : "old";
}
