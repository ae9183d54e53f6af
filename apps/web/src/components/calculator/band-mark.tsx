"use client";
import type { CostOption } from "@fairlead/domain";
import { monthText } from "./money-text.ts";

export type Span = { low: number; high: number };

const width = 96;
const height = 12;
const inset = 4;

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

/** A line from low to high with a dot at the typical cost, by orders of magnitude: dear and cheap on one scale. */
export function BandMark({ option, span }: { option: CostOption; span: Span }) {
  const { low, typical, high } = monthlyBand(option);
  const x = (micros: number) => {
    const share = Math.log(Math.max(micros, span.low) / span.low) / Math.log(span.high / span.low || 2);
    return inset + Math.min(1, share) * (width - 2 * inset);
  };
  const { currency } = option;
  const words = `From ${monthText(low, currency)} to ${monthText(high, currency)} a month`;
  return (
    <span className="inline-flex items-center" title={words}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden>
        <path d={`M0 ${height / 2}H${width}`} stroke="var(--line)" />
        <path
          d={`M${x(low)} ${height / 2}H${x(high)}`}
          stroke="var(--accent)"
          strokeWidth={3}
          strokeLinecap="round"
          opacity={0.55}
        />
        <circle cx={x(typical)} cy={height / 2} r={3.5} fill="var(--accent)" />
      </svg>
      <span className="sr-only">{words}</span>
    </span>
  );
}
