import type { CurrencyRate } from "./currency-rate.ts";

/** Exchange returns the rate from a currency to the requested one; null if there is none. */
export type Exchange = (from: string) => number | null;

/** exchangeTo uses the newest rate between two currencies, in either direction. */
export function exchangeTo(to: string, rates: readonly CurrencyRate[]): Exchange {
  const known = new Map<string, { factor: number; asOf: string }>();
  for (const { from, to: target, rate, asOf } of rates) {
    const [other, factor] = target === to ? [from, rate] : from === to ? [target, 1 / rate] : [null, 0];
    if (other !== null && (known.get(other)?.asOf ?? "") <= asOf) known.set(other, { factor, asOf });
  }
  return (from) => (from === to ? 1 : (known.get(from)?.factor ?? null));
}
