"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { Check, ChevronsUpDown, X } from "lucide-react";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.tsx";
import { Button } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Popover } from "../ui/popover.tsx";
import { destinations } from "./navigation.ts";
import { useClusterScope } from "./scope.ts";

/** Narrows the page to one cluster. Shown where that means something. */
export function ClusterScope() {
  const path = usePathname();
  const isScoped = destinations.some((destination) => destination.isScoped && destination.href === path);
  return isScoped ? <ClusterPicker /> : null;
}

function ClusterPicker() {
  const trpc = useTRPC();
  const [clusterId, setClusterId] = useClusterScope();
  const [open, setOpen] = useState(false);
  const [search, setSearch] = useState("");
  const chosen = useQuery(trpc.cluster.get.queryOptions({ id: clusterId ?? "" }, { enabled: clusterId !== null }));
  const listed = useQuery(
    trpc.cluster.list.queryOptions(
      { limit: 20, ...(search ? { search } : {}) },
      { enabled: open, placeholderData: keepPreviousData },
    ),
  );
  const clusters = listed.data?.items ?? [];
  const hidden = (listed.data?.total ?? 0) - clusters.length;

  function choose(id: string | null) {
    void setClusterId(id);
    setOpen(false);
    setSearch("");
  }

  return (
    <span className="flex min-w-0 items-center">
      <span aria-hidden className="px-1 text-muted max-sm:hidden">
        /
      </span>
      <Popover
        open={open}
        onOpenChange={setOpen}
        label="Cluster"
        className="p-0"
        trigger={
          <Button variant="quiet" size="sm" className="min-w-0 shrink text-sm" aria-label="Cluster">
            <span className="truncate">{clusterId ? (chosen.data?.name ?? "one cluster") : "All clusters"}</span>
            <ChevronsUpDown className="text-muted" aria-hidden />
          </Button>
        }
      >
        <Command shouldFilter={false} label="Clusters">
          <Command.Input
            value={search}
            onValueChange={setSearch}
            placeholder="Find a cluster"
            className="h-9 w-full border-b bg-transparent px-3 text-sm outline-none"
          />
          <Command.List className="max-h-72 overflow-y-auto p-1">
            {search ? null : (
              <ScopeItem value="all" chosen={clusterId === null} onSelect={() => choose(null)}>
                All clusters
              </ScopeItem>
            )}
            {clusters.map((cluster) => (
              <ScopeItem
                key={cluster.id}
                value={cluster.id}
                chosen={cluster.id === clusterId}
                onSelect={() => choose(cluster.id)}
              >
                <span className="min-w-0 flex-1 truncate">{cluster.name}</span>
                <span className="truncate text-muted text-xs">{cluster.region}</span>
              </ScopeItem>
            ))}
            {listed.data && clusters.length === 0 ? (
              <p className="px-2 py-3 text-muted text-sm">No cluster has “{search}” in its name.</p>
            ) : null}
            {hidden > 0 ? <p className="px-2 py-1.5 text-muted text-xs">{hidden} more: type to narrow.</p> : null}
          </Command.List>
        </Command>
      </Popover>
      {clusterId ? (
        <IconButton label="Show all clusters" size="icon-sm" onClick={() => choose(null)}>
          <X aria-hidden />
        </IconButton>
      ) : null}
    </span>
  );
}

function ScopeItem({
  value,
  chosen,
  onSelect,
  children,
}: {
  value: string;
  chosen: boolean;
  onSelect: () => void;
  children: React.ReactNode;
}) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-8 cursor-pointer items-center gap-2 rounded-sm px-2 text-sm data-[selected=true]:bg-hover"
    >
      <Check className={chosen ? "size-4" : "size-4 opacity-0"} aria-hidden />
      {children}
    </Command.Item>
  );
}
