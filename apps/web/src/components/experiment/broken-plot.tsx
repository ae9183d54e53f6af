"use client";
import type { ExperimentSeries } from "@fairlead/domain/experiment";
import { useId, useMemo } from "react";
import { lineStyle } from "@/components/charts/plot/line-style.ts";
import { frame } from "@/components/charts/plot/plot-frame.ts";
import { count } from "@/components/words/numbers.ts";
import { Clip, Mark } from "./follow-plot.tsx";
import { countTicks, stepAt, stepPath, stepsOf } from "./lay-steps.ts";
import { type Band, BandAxis, bandScale } from "./plot-bands.tsx";
import type { Span } from "./span.ts";
import { TimePlot } from "./time-plot.tsx";

const height = 64;

/** How many connections clients saw break since the start. */
export function BrokenPlot({
  series,
  span,
  onZoom,
}: {
  series: ExperimentSeries;
  span: Span;
  onZoom: (span: Span) => void;
}) {
  const clipId = useId();
  const { broken } = series;
  const steps = useMemo(
    () => [{ at: series.from.getTime(), value: 0 }, ...stepsOf(broken ?? [], (each) => each.value)],
    [broken, series.from],
  );
  const most = steps.at(-1)?.value ?? 0;
  const band: Band = { top: frame.top, bottom: frame.top + height, values: countTicks(most) };
  const style = lineStyle(5);
  return (
    <TimePlot
      title="Broken connections"
      hint="ended before their client closed them, since the start"
      span={span}
      height={band.bottom + frame.bottom}
      readings={[
        {
          key: "broken",
          title: "Broken",
          mark: <Mark colour={style.colour} width={2} />,
          at: (moment) => count(stepAt(steps, moment) ?? 0),
        },
      ]}
      empty={
        broken === null
          ? "No client of this cluster reports broken connections. Only clients can observe them; those of a lab report through the lab agent."
          : null
      }
      onZoom={onZoom}
      draw={(x, width) => (
        <>
          <Clip id={clipId} width={width} height={band.bottom} />
          <BandAxis band={band} format={count} width={width} />
          <path
            d={stepPath(steps, series.to.getTime(), x, bandScale(band))}
            clipPath={`url(#${clipId})`}
            fill="none"
            stroke={style.colour}
            strokeWidth={2}
          />
        </>
      )}
    />
  );
}
