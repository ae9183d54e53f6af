"use client";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useId, useMemo } from "react";
import { formatQuantity } from "@/components/charts/data/quantity.ts";
import { lineStyle } from "@/components/charts/plot/line-style.ts";
import { useWidth } from "@/components/charts/plot/use-width.ts";
import { SaveCsv } from "@/components/table/save-csv.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { count } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { type DelayLayout, type DelayPanel, delayRows, layDelays } from "./lay-delays.ts";
import { phaseWords, shownPhases } from "./update-phases.ts";

const DelayBars = dynamic(() => import("./delay-bars.tsx").then((module) => module.DelayBars), {
  ssr: false,
  loading: () => null,
});

const barsHeight = 120;
const panelHeight = 224;

/** How long route updates took in a time range, by phase. */
export function DelayHistograms({ clusterId, from, to }: { clusterId: string | null; from: Date; to: Date }) {
  const trpc = useTRPC();
  const delays = useQuery({
    ...trpc.routeDelay.query.queryOptions({ ...(clusterId ? { clusterId } : {}), from, to }),
    placeholderData: (before) => before,
    gcTime: 10_000, // every tick of a live page is a new query
  });
  const layout = useMemo(() => (delays.data ? layDelays(delays.data, shownPhases) : null), [delays.data]);
  if (delays.error && !delays.data)
    return (
      <div role="alert" className="flex flex-col items-start gap-2 text-sm">
        <p>{problemOf(delays.error).message} Traffic is not affected: this page only reads.</p>
        <Button size="sm" onClick={() => void delays.refetch()} busy={delays.isFetching}>
          Try again
        </Button>
      </div>
    );
  if (!layout)
    return (
      <div className="grid gap-x-8 gap-y-6 md:grid-cols-2 xl:grid-cols-3" aria-busy>
        {shownPhases.map((phase) => (
          <div key={phase} style={{ height: panelHeight }}>
            <Skeleton className="h-full w-full" />
          </div>
        ))}
      </div>
    );
  if (layout.panels.length === 0)
    return (
      <p className="py-2 text-muted text-sm">
        No updates in this range. When a balancer is added or removed, the delay of the update appears here.
      </p>
    );
  return (
    <div className="grid gap-x-8 gap-y-6 md:grid-cols-2 xl:grid-cols-3">
      {layout.panels.map((panel) => (
        <Panel key={panel.phase} panel={panel} layout={layout} />
      ))}
    </div>
  );
}

function Panel({ panel, layout }: { panel: DelayPanel; layout: DelayLayout }) {
  const id = useId();
  const [box, width] = useWidth<HTMLDivElement>();
  const { title, between } = phaseWords[panel.phase];
  const rows = [
    { word: "Announced", colour: lineStyle(0).colour, delay: panel.announced },
    { word: "Withdrawn", colour: lineStyle(1).colour, delay: panel.withdrawn },
  ];
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-1" style={{ minHeight: panelHeight }}>
      <header className="flex items-start justify-between gap-2">
        <div>
          <h3 id={id} className="font-medium text-sm">
            {title}
          </h3>
          <p className="text-muted text-xs">{between}</p>
        </div>
        <SaveCsv name={`${title} delays`} rows={() => delayRows(panel)} />
      </header>
      <div ref={box} style={{ height: barsHeight }}>
        {width > 0 ? <DelayBars panel={panel} layout={layout} width={width} height={barsHeight} /> : null}
      </div>
      <table className="tabular w-full table-fixed text-xs">
        <caption className="sr-only">{`${title}: how long updates took`}</caption>
        <thead>
          <tr className="text-muted">
            <th scope="col" className="w-auto py-0.5 text-left font-normal">
              <span className="sr-only">Updates</span>
            </th>
            {["updates", "median", "p99", "longest"].map((word) => (
              <th key={word} scope="col" className="w-[19%] py-0.5 text-right font-normal">
                {word}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ word, colour, delay }) => (
            <tr key={word}>
              <th scope="row" className="py-0.5 text-left font-normal">
                <span className="flex items-center gap-1.5">
                  <span aria-hidden className="size-2 shrink-0 rounded-[1px]" style={{ background: colour }} />
                  {word}
                </span>
              </th>
              <td className="py-0.5 text-right text-muted">{count(delay?.count ?? 0)}</td>
              <td className="whitespace-nowrap py-0.5 text-right">{formatQuantity(delay?.msP50, "ms")}</td>
              <td className="whitespace-nowrap py-0.5 text-right text-muted">{formatQuantity(delay?.msP99, "ms")}</td>
              <td className="whitespace-nowrap py-0.5 text-right text-muted">{formatQuantity(delay?.msMax, "ms")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
