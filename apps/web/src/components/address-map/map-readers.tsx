"use client";
import type { MapReader } from "@fairlead/domain/address-map";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { RowsTable } from "../detail/rows-table.tsx";
import { ShowMore } from "../ui/layout/show-more.tsx";
import { Mono } from "../ui/mono.tsx";
import { Badge } from "../ui/status/badge.tsx";
import { Age } from "../ui/time/age.tsx";
import { count } from "../words/numbers.ts";

const firstShown = 3;

const formWords: Record<string, string> = {
  json: "JSON",
  yaml: "YAML",
  compact: "compact YAML",
  stream: "stream",
  list: "the list of mappings",
  lookup: "look-up",
  changes: "changes",
};

/** Who read a map, from where and how often. */
export function MapReaders({ exposureId }: { exposureId: string }) {
  const trpc = useTRPC();
  const [all, setAll] = useState(false);
  const { data, error } = useQuery(trpc.addressMap.readers.queryOptions({ id: exposureId }));
  if (error && !data)
    return (
      <p role="alert" className="py-2 text-sm">
        {problemOf(error).message}
      </p>
    );
  return (
    <>
      <RowsTable<MapReader>
        label="Map readers"
        rows={all ? data?.readers : data?.readers.slice(0, firstShown)}
        stacks
        rowKey={({ actorKind, actorId, address, format }) => `${actorKind} ${actorId} ${address} ${format}`}
        empty="No reads yet."
        columns={[
          {
            label: "Reader",
            cell: ({ actorKind, actorName }) => (
              <span className="inline-flex items-center gap-2">
                {actorName}
                {actorKind === "api-key" ? <Badge>key</Badge> : null}
              </span>
            ),
          },
          {
            label: "From",
            cell: ({ address }) =>
              address ? <Mono copy="pointer">{address}</Mono> : <span className="text-muted">unknown</span>,
          },
          { label: "Format", cell: ({ format }) => formWords[format] ?? format },
          { label: "Reads", align: "end", cell: ({ reads }) => count(reads) },
          { label: "First", align: "end", cell: ({ firstAt }) => <Age at={firstAt} /> },
          { label: "Last", align: "end", cell: ({ lastAt }) => <Age at={lastAt} /> },
        ]}
      />
      <ShowMore total={data?.readers.length ?? 0} first={firstShown} all={all} onChange={setAll} />
      {data && data.total > data.readers.length ? (
        <p className="pt-2 text-muted text-sm">
          The last {data.readers.length} of {count(data.total)}.
        </p>
      ) : null}
    </>
  );
}
