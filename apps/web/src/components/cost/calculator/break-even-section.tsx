"use client";
import { type BreakEven, drawCosts } from "@fairlead/domain/cost";
import { memo, useDeferredValue, useMemo } from "react";
import { LineSample } from "@/components/charts/plot/legend.tsx";
import { lineStyle } from "@/components/charts/plot/line-style.ts";
import { useWidth } from "@/components/charts/plot/use-width.ts";
import { Section } from "@/components/ui/layout/section.tsx";
import { CostPlot } from "./cost-plot.tsx";
import { type CostLines, layCurves } from "./lay-curves.ts";
import { monthText } from "./money-text.ts";
import { trafficText } from "./traffic-text.ts";
import type { Answer } from "./use-answer.ts";
import { placeKey } from "./words.ts";

const height = 280;
const points = 41;
/** The table for screen readers needs only some of the points. */
const everyPoint = 5;

/** The monthly cost as traffic grows, and where another option becomes the cheapest. Drawn after the ranking. */
export const BreakEvenSection = memo(function BreakEvenSection(props: { answer: Answer; compare: readonly string[] }) {
  const answer = useDeferredValue(props.answer, null);
  const compare = useDeferredValue(props.compare);
  return (
    <Section
      title="As traffic grows"
      hint="the rest of the profile scales with it; a line ends at the capacity of its option"
    >
      {answer ? <Curves answer={answer} compare={compare} /> : <div style={{ height }} />}
    </Section>
  );
});

const Curves = memo(function Curves({ answer, compare }: { answer: Answer; compare: readonly string[] }) {
  const { request, estimate, catalogue } = answer;
  const curves = useMemo(() => drawCosts(request, catalogue, points), [request, catalogue]);
  const drawn = useMemo(() => layCurves(curves, estimate, compare), [curves, estimate, compare]);
  const [box, width] = useWidth<HTMLDivElement>();
  if (drawn.lines.length === 0) return <p className="py-2 text-muted text-sm">No option that fits has a price.</p>;
  const { currency } = request;
  return (
    <div className="flex flex-col gap-3">
      <div ref={box} className="cost-plot min-w-0" style={{ minHeight: height }}>
        {width > 0 ? (
          <CostPlot
            drawn={drawn}
            average={request.profile.averageMbps}
            currency={currency}
            width={width}
            height={height}
          />
        ) : null}
      </div>
      <ul className="flex flex-wrap gap-x-5 gap-y-1 text-xs" aria-label="Lines">
        {drawn.lines.map(({ key, title }, i) => (
          <li key={key} className="flex items-center gap-2">
            <LineSample style={lineStyle(i)} />
            {title}
          </li>
        ))}
      </ul>
      <Crossings crossings={estimate.breakEven} answer={answer} />
      <details className="text-sm">
        <summary className="w-fit text-muted">Show as a table</summary>
        <CurveTable drawn={drawn} currency={currency} />
      </details>
    </div>
  );
});

function Crossings({ crossings, answer }: { crossings: readonly BreakEven[]; answer: Answer }) {
  const { options } = answer.estimate;
  const nameOf = (place: BreakEven["below"]) =>
    options.find((option) => placeKey(option) === placeKey(place))?.product ?? place.offerId;
  if (crossings.length === 0) return <p className="text-sm">One option stays the cheapest over the whole range.</p>;
  return (
    <ul className="flex flex-col gap-1 text-sm" aria-label="Break-even">
      {crossings.map(({ averageMbps, below, above }) => (
        <li key={averageMbps}>
          From <strong className="tabular font-semibold">{trafficText(averageMbps)}</strong> on average, {nameOf(above)}{" "}
          in {above.region} is the cheapest; below it, {nameOf(below)} in {below.region}.
        </li>
      ))}
    </ul>
  );
}

function CurveTable({ drawn, currency }: { drawn: CostLines; currency: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and so by keyboard too
    <section className="overflow-x-auto pt-2" tabIndex={0} aria-label="Monthly cost by traffic">
      <table className="tabular text-xs">
        <caption className="sr-only">Monthly cost by average traffic</caption>
        <thead>
          <tr className="border-b text-muted">
            <th scope="col" className="py-1 pr-6 text-left font-normal">
              On average
            </th>
            {drawn.lines.map(({ key, title }) => (
              <th key={key} scope="col" className="py-1 pr-6 text-right font-normal">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {drawn.mbps.map((mbps, i) =>
            i % everyPoint === 0 ? (
              <tr key={mbps} className="border-b last:border-b-0">
                <th scope="row" className="whitespace-nowrap py-1 pr-6 text-left font-normal">
                  {trafficText(mbps)}
                </th>
                {drawn.lines.map(({ key, values }) => {
                  const micros = values[i];
                  return (
                    <td key={key} className="py-1 pr-6 text-right">
                      {micros === null || micros === undefined ? "over capacity" : monthText(micros, currency)}
                    </td>
                  );
                })}
              </tr>
            ) : null,
          )}
        </tbody>
      </table>
    </section>
  );
}
