import { z } from "zod";
import { bookDay } from "./book-day.ts";
import { currencyCode } from "./currency-code.ts";

export const currencyRate = z.strictObject({
  from: currencyCode,
  to: currencyCode,
  rate: z.number("enter a number").min(1e-12, "enter at least 0.000000000001").max(1e9, "enter at most 1000000000"),
  asOf: bookDay,
});
export type CurrencyRate = z.infer<typeof currencyRate>;
