"use client";
import { useQuery } from "@tanstack/react-query";
import { type ComponentProps, useEffect } from "react";
import { useTRPC } from "@/trpc/client.tsx";
import { Link } from "./link.tsx";
import { Select } from "./select.tsx";

/** As many as one answer holds; whoever has more picks the cluster in the bar first. */
const most = 200;

/** Picks one cluster, and says where to make the first. */
export function ClusterSelect({
  control,
  value,
  onChange,
}: {
  control: ComponentProps<"select">;
  value: string;
  onChange: (clusterId: string) => void;
}) {
  const trpc = useTRPC();
  const { data, isPending } = useQuery(trpc.cluster.list.queryOptions({ limit: most }));
  const clusters = data?.items ?? [];
  const only = clusters.length === 1 && data?.total === 1 ? clusters[0] : undefined;
  const onlyId = only?.id;
  useEffect(() => {
    if (onlyId && value === "") onChange(onlyId);
  }, [onlyId, value, onChange]);
  const chosen = useQuery(
    trpc.cluster.get.queryOptions(
      { id: value },
      { enabled: value !== "" && !isPending && !clusters.some(({ id }) => id === value) },
    ),
  );
  if (data && clusters.length === 0)
    return (
      <p className="text-sm">
        There is no cluster yet.{" "}
        <Link href="/clusters?create=true" className="text-accent underline underline-offset-2">
          Create the first
        </Link>
      </p>
    );
  return (
    <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="" disabled>
        {isPending ? "Reading the clusters…" : "Choose a cluster"}
      </option>
      {chosen.data ? <option value={chosen.data.id}>{chosen.data.name}</option> : null}
      {clusters.map((cluster) => (
        <option key={cluster.id} value={cluster.id}>
          {cluster.name}
          {cluster.region ? ` · ${cluster.region}` : ""}
        </option>
      ))}
    </Select>
  );
}
