"use client";
import { classNames } from "@/components/ui/class-names.ts";
import { type ChartData, rowAt } from "../data/chart-data.ts";
import { formatQuantity } from "../data/quantity.ts";
import { useCursor } from "./cursor.tsx";
import { type LineStyle, lineStyle } from "./line-style.ts";
import { formatInstant } from "./ticks.ts";

/** The values of every line as a table, for screen readers, and for the exact value under the cursor. */
export function Legend(props: { title: string; data: ChartData; from: number; to: number; stale: boolean }) {
  const { data, from, to } = props;
  const [cursor] = useCursor();
  const at = cursor !== null && cursor >= from && cursor <= to ? cursor : null;
  const row = at === null ? null : rowAt(data.rows, at, (to - from) / 50);
  return (
    <div className="@container">
      <table className={classNames("tabular w-full table-fixed text-xs", props.stale && "text-silent")}>
        <caption className="sr-only">{`${props.title}: the figures of each line in the range shown`}</caption>
        <thead>
          <tr className="text-muted">
            <th scope="col" className="w-auto py-0.5 text-left font-normal">
              <span className="sr-only">Line</span>
            </th>
            <th scope="col" className="w-18 py-0.5 text-right font-normal">
              {at === null ? (props.stale ? "last seen" : "last") : formatInstant(at, Math.min(to - from, 3_600_000))}
            </th>
            <th scope="col" className="w-18 py-0.5 text-right font-normal @max-md:hidden">
              min
            </th>
            <th scope="col" className="w-18 py-0.5 text-right font-normal">
              avg
            </th>
            <th scope="col" className="w-18 py-0.5 text-right font-normal">
              max
            </th>
          </tr>
        </thead>
        <tbody>
          {data.lines.map((line, i) => (
            <tr key={line.title}>
              <th scope="row" className="py-0.5 text-left font-normal">
                <span className="flex min-w-0 items-center gap-2">
                  <LineSample style={lineStyle(i)} />
                  <span className="truncate" title={line.title}>
                    {line.title}
                  </span>
                </span>
              </th>
              <Figure strong>
                {formatQuantity(at === null ? line.summary?.last : (row?.values[i] ?? null), data.unit)}
              </Figure>
              <Figure className="@max-md:hidden">{formatQuantity(line.summary?.min, data.unit)}</Figure>
              <Figure>{formatQuantity(line.summary?.avg, data.unit)}</Figure>
              <Figure>{formatQuantity(line.summary?.max, data.unit)}</Figure>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Figure({ strong, className, children }: { strong?: boolean; className?: string; children: string }) {
  return (
    <td className={classNames("whitespace-nowrap py-0.5 text-right", !strong && "text-muted", className)}>
      {children}
    </td>
  );
}

export function LineSample({ style }: { style: LineStyle }) {
  return (
    <svg viewBox="0 0 20 8" className="h-2 w-5 shrink-0" aria-hidden>
      <path d="M0 4h20" stroke={style.colour} strokeWidth="2" strokeDasharray={style.dash} />
    </svg>
  );
}
