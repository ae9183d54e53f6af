"use client";
import type { Cluster } from "@fairlead/domain/cluster";
import { useQuery } from "@tanstack/react-query";
import { type ComponentProps, useEffect } from "react";
import { useTRPC } from "@/trpc/client.tsx";
import { Link } from "../action/link.tsx";
import { Select } from "./select.tsx";

/** The maximum of one response. In larger fleets, the user filters by cluster first. */
const most = 200;

/** useChosenCluster returns the cluster that is selected, once it is known. */
export function useChosenCluster(clusterId: string): Cluster | undefined {
  const trpc = useTRPC();
  const { data, isPending } = useQuery(trpc.cluster.list.queryOptions({ limit: most }));
  const listed = data?.items.find(({ id }) => id === clusterId);
  const enabled = clusterId !== "" && !isPending && !listed;
  const found = useQuery(trpc.cluster.get.queryOptions({ id: clusterId }, { enabled }));
  return listed ?? (enabled ? found.data : undefined);
}

/** Selects a cluster, with a link to create the first one. The only suitable one is selected automatically. */
export function ClusterSelect({
  control,
  value,
  lackOf = () => null,
  onChange,
}: {
  control: ComponentProps<"select">;
  value: string;
  /** Why a cluster can't be selected; null if it can. */
  lackOf?: (cluster: Cluster) => string | null;
  onChange: (clusterId: string) => void;
}) {
  const trpc = useTRPC();
  const { data, isPending } = useQuery(trpc.cluster.list.queryOptions({ limit: most }));
  const clusters = (data?.items ?? []).map((cluster) => ({ cluster, lack: lackOf(cluster) }));
  const suitable = clusters.filter(({ lack }) => lack === null);
  const only = suitable.length === 1 && data?.total === clusters.length ? suitable[0] : undefined;
  const onlyId = only?.cluster.id;
  useEffect(() => {
    if (onlyId && value === "") onChange(onlyId);
  }, [onlyId, value, onChange]);
  const chosen = useChosenCluster(value);
  const isListed = clusters.some(({ cluster }) => cluster.id === value);
  if (data && clusters.length === 0)
    return (
      <p className="text-sm">
        No clusters.{" "}
        <Link href="/clusters?create=true" className="text-accent underline underline-offset-2">
          Create a cluster
        </Link>
      </p>
    );
  const select = (
    <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="" disabled>
        {isPending ? "Loading clusters…" : "Choose a cluster"}
      </option>
      {value !== "" && data && !isListed ? <option value={value}>{chosen?.name ?? "Unknown cluster"}</option> : null}
      {clusters.map(({ cluster, lack }) => (
        <option key={cluster.id} value={cluster.id} disabled={lack !== null}>
          {cluster.name}
          {cluster.region ? ` · ${cluster.region}` : ""}
          {lack === null ? "" : ` · ${lack}`}
        </option>
      ))}
    </Select>
  );
  if (!data || data.total > clusters.length || suitable.length > 0) return select;
  return (
    <>
      {select}
      <p className="text-muted text-xs">
        None of your clusters can be selected.{" "}
        <Link href="/clusters?create=true" className="text-accent underline underline-offset-2">
          Create a cluster
        </Link>
      </p>
    </>
  );
}
