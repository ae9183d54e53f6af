import { z } from "zod";

/** PriceDates is the range of the dates of some prices; null if none has a date. */
export const priceDates = z.object({ oldest: z.string().nullable(), newest: z.string().nullable() });
export type PriceDates = z.infer<typeof priceDates>;

export function datesOf(prices: Iterable<{ asOf: string | null }>): PriceDates {
  let oldest: string | null = null;
  let newest: string | null = null;
  for (const { asOf } of prices) {
    if (asOf === null) continue;
    if (oldest === null || asOf < oldest) oldest = asOf;
    if (newest === null || asOf > newest) newest = asOf;
  }
  return { oldest, newest };
}
