import type { CostOption } from "@fairlead/domain";

export type Span = { low: number; high: number };

/** spanOf is what the bands of some options lie in. */
export function spanOf(options: readonly CostOption[]): Span {
  const of = options.map(monthlyBand).filter(({ high }) => high > 0);
  return {
    low: Math.max(1, Math.min(...of.map(({ low }) => low))),
    high: Math.max(2, ...of.map(({ high }) => high)),
  };
}

/** monthlyBand is the band of an hour, for as many hours as the month of the option has. */
export function monthlyBand({ band, hourlyMicros, monthlyMicros }: CostOption) {
  const factor = hourlyMicros > 0 ? monthlyMicros / hourlyMicros : 0;
  return { low: band.lowMicros * factor, typical: monthlyMicros, high: band.highMicros * factor };
}

/** shareIn places a sum between the least and the most by orders of magnitude: in the middle where all cost the same. */
export function shareIn({ low, high }: Span, micros: number): number {
  const whole = Math.log(high / low);
  return whole > 0 ? Math.min(1, Math.log(Math.max(micros, low) / low) / whole) : 0.5;
}
