import type { CostOption } from "@fairlead/domain/cost";

export type Span = { low: number; high: number };

/** spanOf returns the range that contains the bands of all options. */
export function spanOf(options: readonly CostOption[]): Span {
  const of = options.map(monthlyBand).filter(({ high }) => high > 0);
  return {
    low: Math.max(1, Math.min(...of.map(({ low }) => low))),
    high: Math.max(2, ...of.map(({ high }) => high)),
  };
}

/** monthlyBand is the hourly band times the option's hours per month. */
export function monthlyBand({ band, hourlyMicros, monthlyMicros }: CostOption) {
  const factor = hourlyMicros > 0 ? monthlyMicros / hourlyMicros : 0;
  return { low: band.lowMicros * factor, typical: monthlyMicros, high: band.highMicros * factor };
}

/**
 * shareIn places a sum between the minimum and the maximum on a logarithmic scale, or in the middle if all cost the
 * same.
 */
export function shareIn({ low, high }: Span, micros: number): number {
  const whole = Math.log(high / low);
  return whole > 0 ? Math.min(1, Math.log(Math.max(micros, low) / low) / whole) : 0.5;
}
