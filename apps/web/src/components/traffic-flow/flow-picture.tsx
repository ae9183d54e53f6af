"use client";
import type { TrafficFlow } from "@fairlead/domain/traffic-flow";
import { useMemo, useState } from "react";
import { formatQuantity } from "@/components/charts/data/quantity.ts";
import { FlowPlace } from "./flow-place.tsx";
import { columnTitle, placeDrops, placeName } from "./flow-words.ts";
import { type FlowLine, layFlow, placeWidth } from "./lay-flow.ts";

/** A place with drops has one more line. */
const rowRem = { usual: 4, withDrops: 5 };
const looks: Record<FlowLine["look"], { className: string; dash?: string }> = {
  measured: { className: "stroke-accent" },
  idle: { className: "stroke-line-strong" },
  unknown: { className: "stroke-line-strong", dash: "1 5" },
  broken: { className: "stroke-bad", dash: "4 4" },
};

/** The path of traffic, left to right; on a narrow screen, top to bottom without lines. */
export function FlowPicture({ flow }: { flow: TrafficFlow }) {
  const { columns, lines, rows } = useMemo(() => layFlow(flow), [flow]);
  const [pointed, setPointed] = useState<string | null>(null);
  const isFaint = ({ from, to }: FlowLine) => pointed !== null && from.key !== pointed && to.key !== pointed;
  return (
    <div className="relative" style={sizes(rows * rowHeight(flow), columns.length)}>
      <svg
        className="absolute inset-x-0 top-6 hidden h-(--flow-height) w-full md:block"
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        aria-hidden
      >
        {lines.map((line) => (
          <path
            key={line.key}
            d={line.path}
            vectorEffect="non-scaling-stroke"
            fill="none"
            className={looks[line.look].className}
            strokeOpacity={isFaint(line) ? 0.12 : line.look === "measured" ? 0.45 : 1}
            strokeWidth={line.width}
            strokeDasharray={looks[line.look].dash}
          />
        ))}
      </svg>
      <div className="grid gap-y-4 md:grid-cols-[repeat(var(--flow-columns),minmax(0,1fr))]">
        {columns.map(({ column, places }) => (
          <div key={column}>
            <h3 className="h-6 text-muted text-xs md:text-center">{columnTitle(column, places)}</h3>
            <ul className="relative flex flex-col gap-2 md:h-(--flow-height) md:justify-around md:gap-0">
              {places.map((place) => (
                <li
                  key={place.key}
                  className="md:mx-auto md:w-(--flow-place)"
                  onMouseEnter={() => setPointed(place.key)}
                  onMouseLeave={() => setPointed(null)}
                  onFocus={() => setPointed(place.key)}
                  onBlur={() => setPointed(null)}
                >
                  <FlowPlace place={place} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      <ul className="sr-only">
        {lines.map(({ key, from, to, throughputBps }) => (
          <li key={key}>
            From {placeName(from)} to {placeName(to)}:{" "}
            {throughputBps === null ? "not measured" : formatQuantity(throughputBps, "bps")}
          </li>
        ))}
      </ul>
    </div>
  );
}

function sizes(heightRem: number, columns: number): React.CSSProperties {
  const variables = {
    "--flow-height": `${heightRem}rem`,
    "--flow-columns": columns,
    "--flow-place": `${placeWidth}%`,
  };
  return variables as React.CSSProperties;
}

function rowHeight({ places }: TrafficFlow): number {
  return places.some((each) => placeDrops(each) !== null) ? rowRem.withDrops : rowRem.usual;
}
