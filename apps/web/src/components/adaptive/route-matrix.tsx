"use client";
import { useState } from "react";
import { useOverflows } from "@/components/detail/use-overflows.ts";
import { classNames } from "@/components/ui/class-names.ts";
import { ShowMore } from "@/components/ui/layout/show-more.tsx";
import { type Entry, isLocal, type PortRoutes } from "./lay-routes.ts";
import { FromOutside, NoNewConnections, RouteFigures, RouteMarks, RouteShare, ShareBar } from "./route-figures.tsx";

const firstShown = 12;
/** The width of the first column, and the least of the others. */
const [firstRem, placeRem] = [10, 9];

/** Each entry is a row, each serving node a column. */
export function RouteMatrix({ of, label }: { of: PortRoutes; label: string }) {
  const [all, setAll] = useState(false);
  const [frame, overflows] = useOverflows<HTMLDivElement>();
  const { entries, servingNodes } = of;
  return (
    <>
      <div
        ref={frame}
        className="overflow-x-auto"
        {...(overflows ? { tabIndex: 0, role: "group", "aria-label": label } : {})}
      >
        <table
          className="w-full table-fixed border-collapse text-sm"
          style={{ minWidth: `${firstRem + placeRem * servingNodes.length}rem` }}
          aria-label={label}
        >
          <thead>
            <tr className="border-b text-muted text-xs">
              <th scope="col" className="h-8 pr-3 text-left font-normal" style={{ width: `${firstRem}rem` }}>
                From ↓ to →
              </th>
              {servingNodes.map(({ id, name }) => (
                <th key={id} scope="col" title={name} className="truncate px-3 text-left font-medium text-ink">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(all ? entries : entries.slice(0, firstShown)).map((entry) => (
              <EntryRow key={entry.id} entry={entry} servingNodes={servingNodes} />
            ))}
          </tbody>
        </table>
      </div>
      <ShowMore total={entries.length} first={firstShown} all={all} onChange={setAll} />
    </>
  );
}

function EntryRow({ entry, servingNodes }: { entry: Entry } & Pick<PortRoutes, "servingNodes">) {
  return (
    <tr className="border-b last:border-b-0">
      <th scope="row" title={entry.name} className="truncate py-2 pr-3 text-left align-top font-medium">
        {entry.name}
        {entry.isUsed ? null : <NoNewConnections />}
        <FromOutside entry={entry} />
      </th>
      {servingNodes.map(({ id }) => {
        const route = entry.routes.get(id);
        return (
          <td key={id} className={classNames("tabular px-3 py-2 align-top", route && isLocal(route) && "bg-surface")}>
            {route ? (
              <div className="flex flex-col gap-1">
                <span className="flex min-h-5 flex-wrap items-center gap-x-2 gap-y-1">
                  <RouteShare route={route} isUsed={entry.isUsed} />
                  <RouteMarks route={route} />
                </span>
                <ShareBar share={route.share} />
                <RouteFigures route={route} />
              </div>
            ) : (
              <span className="text-muted">not reported</span>
            )}
          </td>
        );
      })}
    </tr>
  );
}
