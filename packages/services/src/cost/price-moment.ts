import { invalid } from "@fairlead/domain";

const dayMs = 86_400_000;
/** By how much the clocks of two of our processes may differ. */
const clockSkewMs = 60_000;

export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** priceMoment is the moment as of which prices are read: the end of a day, or a moment. */
export function priceMoment(pricesOf: string | undefined, now: Date): Date {
  if (pricesOf === undefined) return now;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(pricesOf);
  const begins = Date.parse(pricesOf);
  // PostgreSQL's calendar starts later than JavaScript's.
  if (!(begins >= 0)) throw invalid(["pricesOf"], "enter a day after 1970");
  if (begins > now.getTime() + clockSkewMs)
    throw invalid(["pricesOf"], `There are no prices for ${pricesOf} yet: enter today or an earlier day.`);
  return new Date(Math.min(isDay ? begins + dayMs - 1 : begins, now.getTime()));
}
