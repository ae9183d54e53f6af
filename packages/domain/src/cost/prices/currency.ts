import type { CurrencyRate } from "./currency-rate.ts";

/** Exchange answers what one of a currency is in the one that was asked for; null where no rate says. */
export type Exchange = (from: string) => number | null;

/** exchangeTo takes the newest rate between two currencies, whichever way round it was given. */
export function exchangeTo(to: string, rates: readonly CurrencyRate[]): Exchange {
  const known = new Map<string, { factor: number; asOf: string }>();
  for (const { from, to: target, rate, asOf } of rates) {
    const [other, factor] = target === to ? [from, rate] : from === to ? [target, 1 / rate] : [null, 0];
    if (other !== null && (known.get(other)?.asOf ?? "") <= asOf) known.set(other, { factor, asOf });
  }
  return (from) => (from === to ? 1 : (known.get(from)?.factor ?? null));
}
