"use client";
import type { Cluster, InventoryItem } from "@fairlead/domain/cluster";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type RowsColumn, RowsTable } from "@/components/detail/rows-table.tsx";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { Button } from "@/components/ui/action/button.tsx";
import { Link } from "@/components/ui/action/link.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { Select } from "@/components/ui/form/select.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import type { StatusLook } from "@/components/ui/status/status.ts";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { useSettled } from "@/components/ui/use-settled.ts";
import { count } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { type InventoryPart, inventoryParts, kindWords, newExposureHref } from "./inventory-parts.ts";

const firstShown = 10;
const maxShown = 200;

/** The workloads and nodes of a Kubernetes cluster, each with a link to expose it. */
export function ClusterInventory({ cluster }: { cluster: Cluster }) {
  const trpc = useTRPC();
  const [part, setPart] = useState<InventoryPart>("workloads");
  const [text, setText] = useState("");
  const [all, setAll] = useState(false);
  const search = useSettled(text.trim());
  const { kinds, title, empty } = inventoryParts[part];
  const query = useQuery({
    ...trpc.cluster.listInventory.queryOptions({
      ...{ clusterId: cluster.id, kind: [...kinds], limit: all ? maxShown : firstShown },
      ...(search ? { search } : {}),
    }),
    refetchInterval: useLiveInterval(10_000),
    placeholderData: keepPreviousData,
  });
  const total = query.data?.total ?? 0;
  return (
    <Section
      title="Inventory"
      actions={
        <div className="flex flex-wrap items-center gap-2">
          <Select
            aria-label="Type"
            className="w-36"
            value={part}
            onChange={({ target }) => setPart(target.value as InventoryPart)}
          >
            {Object.entries(inventoryParts).map(([value, { title }]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </Select>
          <Input
            aria-label="Search by name or namespace"
            placeholder="Search"
            className="w-40"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </div>
      }
    >
      <RowsTable<InventoryItem>
        label={title}
        rows={query.data?.items}
        query={query}
        stacks
        rowKey={({ id }) => id}
        expected={3}
        empty={search ? `No name contains “${search}”.` : empty}
        columns={columnsOf(part, cluster.id)}
      />
      {total > firstShown ? (
        <div className="flex flex-wrap items-center gap-3 pt-2">
          <Button size="sm" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? "Show fewer" : `Show ${count(Math.min(total, maxShown) - firstShown)} more`}
          </Button>
          {all && total > maxShown ? (
            <span className="text-muted text-sm">
              The first {count(maxShown)} of {count(total)}. Search by name to find others.
            </span>
          ) : null}
        </div>
      ) : null}
    </Section>
  );
}

function columnsOf(part: InventoryPart, clusterId: string): RowsColumn<InventoryItem>[] {
  const name: RowsColumn<InventoryItem> = {
    label: "Name",
    cell: ({ name, namespace }) => (
      <span>
        {namespace ? <span className="text-muted">{namespace}/</span> : null}
        <span className="font-medium">{name}</span>
      </span>
    ),
  };
  const since: RowsColumn<InventoryItem> = {
    label: "Changed",
    align: "end",
    cell: ({ changedAt }) => <Age at={changedAt} />,
  };
  const addresses: RowsColumn<InventoryItem> = {
    label: "Addresses",
    cell: ({ addresses }) =>
      addresses.length > 0 ? (
        <Mono copy="pointer">{addresses.join(", ")}</Mono>
      ) : (
        <span className="text-muted">none</span>
      ),
  };
  const state: RowsColumn<InventoryItem> = { label: "State", cell: (item) => <StatusBadge status={lookOf(item)} /> };
  if (part !== "workloads") return [name, state, addresses, since];
  return [
    name,
    { label: "Kind", cell: ({ kind }) => kindWords[kind] },
    state,
    {
      label: "Ready",
      align: "end",
      cell: ({ ready, desired }) => `${count(ready)} of ${count(desired)}`,
    },
    since,
    {
      label: "Actions",
      hidesLabel: true,
      align: "end",
      cell: (item) => (
        <Button asChild size="sm">
          <Link href={newExposureHref(clusterId, item)} aria-label={`Expose ${item.namespace}/${item.name}`}>
            Expose
          </Link>
        </Button>
      ),
    },
  ];
}

function lookOf({ kind, ready, desired }: InventoryItem): StatusLook {
  if (kind === "service")
    return ready > 0
      ? { word: "Address assigned", shape: "disc", tone: "good" }
      : { word: "Waiting for an address", shape: "ring", tone: "warn" };
  if (desired === 0) return { word: "Scaled to zero", shape: "dash", tone: "silent" };
  if (ready >= desired) return { word: "Ready", shape: "disc", tone: "good" };
  return ready > 0
    ? { word: "Partly ready", shape: "half", tone: "warn" }
    : { word: "Not ready", shape: "cross", tone: "bad" };
}
