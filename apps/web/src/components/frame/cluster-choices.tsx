"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { Check } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTRPC } from "@/trpc/client.tsx";

const most = 20;

/** The clusters to filter by, with a search. */
export function ClusterChoices({
  clusterId,
  onChoose,
}: {
  clusterId: string | null;
  onChoose: (clusterId: string | null) => void;
}) {
  const trpc = useTRPC();
  const [search, setSearch] = useState("");
  const listed = useQuery(
    trpc.cluster.list.queryOptions(
      { limit: most, ...(search.trim() ? { search: search.trim() } : {}) },
      { placeholderData: keepPreviousData },
    ),
  );
  const clusters = listed.data?.items ?? [];
  const hidden = (listed.data?.total ?? 0) - clusters.length;
  return (
    <Command shouldFilter={false} label="Clusters">
      <Command.Input
        autoFocus
        value={search}
        onValueChange={setSearch}
        placeholder="Find a cluster"
        className="h-9 w-full border-b bg-transparent px-3 text-sm outline-none"
      />
      <Command.List className="max-h-72 overflow-y-auto p-1">
        {search ? null : (
          <Choice value="all" chosen={clusterId === null} onSelect={() => onChoose(null)}>
            All clusters
          </Choice>
        )}
        {clusters.map(({ id, name, region }) => (
          <Choice key={id} value={id} chosen={id === clusterId} onSelect={() => onChoose(id)}>
            <span className="min-w-0 flex-1 truncate">{name}</span>
            <span className="truncate text-muted text-xs">{region}</span>
          </Choice>
        ))}
        {listed.data && clusters.length === 0 ? (
          <p className="px-2 py-3 text-muted text-sm">
            {search ? `No cluster name contains “${search}”.` : "No clusters."}
          </p>
        ) : null}
        {hidden > 0 ? <p className="px-2 py-1.5 text-muted text-xs">{hidden} more. Type to filter.</p> : null}
      </Command.List>
    </Command>
  );
}

function Choice({
  value,
  chosen,
  onSelect,
  children,
}: {
  value: string;
  chosen: boolean;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-8 cursor-pointer items-center gap-2 rounded-sm px-2 text-sm data-[selected=true]:bg-selected"
    >
      <Check className={chosen ? "size-4 shrink-0" : "invisible size-4 shrink-0"} aria-hidden />
      {children}
      {chosen ? <span className="sr-only">(selected)</span> : null}
    </Command.Item>
  );
}
