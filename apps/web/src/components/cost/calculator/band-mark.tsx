"use client";
import type { CostOption } from "@fairlead/domain/cost";
import { monthlyBand, type Span, shareIn } from "./band-scale.ts";
import { monthText } from "./money-text.ts";

const width = 72;
const height = 12;
const inset = 4;

/** A line from low to high with a dot at the typical cost, on a logarithmic scale, so that all options fit on it. */
export function BandMark({ option, span }: { option: CostOption; span: Span }) {
  const { low, typical, high } = monthlyBand(option);
  const x = (micros: number) => inset + shareIn(span, micros) * (width - 2 * inset);
  const { currency } = option;
  const words = `From ${monthText(low, currency)} to ${monthText(high, currency)} per month`;
  return (
    <span className="inline-flex items-center" title={words}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words}>
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
    </span>
  );
}
