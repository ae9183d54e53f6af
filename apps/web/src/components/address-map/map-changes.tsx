"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { ShowMore } from "../ui/layout/show-more.tsx";
import { Skeleton } from "../ui/layout/skeleton.tsx";
import { StatusBadge } from "../ui/status/status-badge.tsx";
import { Age } from "../ui/time/age.tsx";
import { changeLooks, describeChange } from "./describe-change.ts";

const maxFetched = 50;
const firstShown = 6;

/** The instances that were added, removed and moved in a map, newest first. */
export function MapChanges({ exposureId, instance }: { exposureId: string; instance?: string }) {
  const trpc = useTRPC();
  const [all, setAll] = useState(false);
  const { data, error } = useQuery(
    trpc.mappingChange.list.queryOptions({ exposureId, ...(instance ? { instance } : {}), limit: maxFetched }),
  );
  if (error && !data)
    return (
      <p role="alert" className="py-2 text-sm">
        {problemOf(error).message}
      </p>
    );
  if (!data)
    return (
      <div aria-busy className="flex flex-col gap-3 py-2">
        <Skeleton className="w-56" />
        <Skeleton className="w-72 max-w-full" />
      </div>
    );
  if (data.items.length === 0) return <p className="py-2 text-muted text-sm">No changes recorded.</p>;
  const shown = all ? data.items : data.items.slice(0, firstShown);
  return (
    <>
      <ol className="text-sm" aria-label="Map changes">
        {shown.map((change) => (
          <li key={change.id} className="flex flex-col gap-0.5 border-b py-2 last:border-b-0">
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
              {instance ? null : <span className="font-medium">{change.instance}</span>}
              <StatusBadge status={changeLooks[change.what]} />
              <span className="ml-auto text-muted text-xs">
                generation {change.generation}, <Age at={change.at} />
              </span>
            </span>
            <ChangeText text={describeChange(change)} />
          </li>
        ))}
      </ol>
      <ShowMore total={data.items.length} first={firstShown} all={all} onChange={setAll} />
      {all && data.total > data.items.length ? (
        <p className="pt-2 text-muted text-sm">
          The newest {data.items.length} of {data.total}. GET /api/v1/mapping-changes returns all of them.
        </p>
      ) : null}
    </>
  );
}

function ChangeText({ text }: { text: string }) {
  return text ? <span className="break-words font-mono text-muted text-xs">{text}</span> : null;
}
