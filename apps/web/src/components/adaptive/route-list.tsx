"use client";
import { useState } from "react";
import { ShowMore } from "@/components/ui/layout/show-more.tsx";
import { type Entry, type PortRoutes, routesByShare } from "./lay-routes.ts";
import { FromOutside, NoNewConnections, RouteFigures, RouteMarks, RouteShare, ShareBar } from "./route-figures.tsx";

const firstEntries = 6;
const firstRoutes = 8;

/** The routes of each entry, the most used first, where a matrix has no room. */
export function RouteList({ of: { entries }, label }: { of: PortRoutes; label: string }) {
  const [all, setAll] = useState(false);
  return (
    <>
      <ul aria-label={label} className="grid @3xl:grid-cols-2 gap-x-8 gap-y-5">
        {(all ? entries : entries.slice(0, firstEntries)).map((entry) => (
          <EntryRoutes key={entry.id} entry={entry} />
        ))}
      </ul>
      <ShowMore total={entries.length} first={firstEntries} all={all} onChange={setAll} />
    </>
  );
}

function EntryRoutes({ entry }: { entry: Entry }) {
  const [all, setAll] = useState(false);
  const routes = routesByShare(entry);
  return (
    <li className="min-w-0 text-sm">
      <p className="wrap-anywhere border-b pb-1">
        <span className="text-muted">From </span>
        <span className="font-medium">{entry.name}</span>
        {entry.isUsed ? null : <NoNewConnections />}
        <FromOutside entry={entry} />
      </p>
      <ul className="divide-y">
        {(all ? routes : routes.slice(0, firstRoutes)).map((route) => (
          <li key={route.toNodeId} className="tabular flex flex-col gap-1 py-2">
            <span className="flex items-start justify-between gap-3">
              <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
                <span className="wrap-anywhere">{route.toNodeName}</span>
                <RouteMarks route={route} />
              </span>
              <span className="whitespace-nowrap">
                <RouteShare route={route} isUsed={entry.isUsed} />
              </span>
            </span>
            <ShareBar share={route.share} />
            <RouteFigures route={route} />
          </li>
        ))}
      </ul>
      <ShowMore total={routes.length} first={firstRoutes} all={all} onChange={setAll} />
    </li>
  );
}
