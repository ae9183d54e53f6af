import type { CostsAnswer } from "@fairlead/domain/cost";
import { monthText } from "@/components/cost/calculator/money-text.ts";
import { SaveCsv } from "../table/save-csv.tsx";
import { shareText } from "./share-text.ts";

const height = 96;
const dayMs = 86_400_000;

/** A bar for each day of a month. A day that is only partly known is drawn open. */
export function DayBars({ points, from, currency }: { points: CostsAnswer["points"]; from: Date; currency: string }) {
  const most = Math.max(1, ...points.map(({ micros }) => micros));
  const count = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 0)).getUTCDate();
  const isOpen = points.some(({ knownShare }) => knownShare < 0.995);
  const byDay = new Map(points.map((point) => [Math.round((point.at.getTime() - from.getTime()) / dayMs), point]));
  return (
    <figure className="flex flex-col gap-1">
      <figcaption className="flex justify-between gap-4 text-muted text-xs">
        <span>
          {isOpen ? "Each day, in UTC; an open bar is a minimum: some costs are unknown" : "Each day, in UTC"}
        </span>
        <span className="tabular flex shrink-0 items-baseline gap-2 whitespace-nowrap">
          {monthText(most, currency)} at most
          <SaveCsv name="cost of each day" rows={() => dayRows(points, currency)} />
        </span>
      </figcaption>
      <ol className="flex items-end gap-px border-b" style={{ height }}>
        {Array.from({ length: count }, (_, day) => {
          const point = byDay.get(day);
          const title = point
            ? `${dayText(point.at)}: ${point.knownShare < 0.995 ? "at least " : ""}${monthText(point.micros, currency)}, known for ${shareText(point.knownShare)} of the time`
            : undefined;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a day of the month is its place
            <li key={day} className="flex h-full min-w-0 flex-1 items-end" title={title}>
              {point ? (
                <span
                  className={
                    point.knownShare < 0.995
                      ? "w-full border border-accent border-dashed bg-accent/20"
                      : "w-full bg-accent"
                  }
                  style={{ height: Math.max(2, (point.micros / most) * (height - 4)) }}
                >
                  <span className="sr-only">{title}</span>
                </span>
              ) : null}
            </li>
          );
        })}
      </ol>
      <div className="tabular flex justify-between text-muted text-xs" aria-hidden>
        <span>{dayText(from)}</span>
        <span>{dayText(new Date(from.getTime() + (count - 1) * dayMs))}</span>
      </div>
    </figure>
  );
}

/** dayRows returns the days for a file, in which a cost without any price is empty, never 0. */
export function dayRows(points: CostsAnswer["points"], currency: string): object[] {
  return points.map(({ at, micros, knownShare }) => ({
    day: at.toISOString().slice(0, 10),
    cost: knownShare > 0 ? micros / 1e6 : null,
    currency,
    knownShare,
  }));
}

function dayText(at: Date): string {
  return at.toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
}
