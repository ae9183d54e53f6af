"use client";
import { useQuery } from "@tanstack/react-query";
import { type ComponentProps, useEffect } from "react";
import { useTRPC } from "@/trpc/client.tsx";
import { Link } from "../action/link.tsx";
import { Select } from "./select.tsx";

/** The maximum of one response. In larger fleets, the user filters by cluster first. */
const most = 200;

/** Selects a cluster, with a link to create the first one. */
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
        No clusters.{" "}
        <Link href="/clusters?create=true" className="text-accent underline underline-offset-2">
          Create a cluster
        </Link>
      </p>
    );
  return (
    <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="" disabled>
        {isPending ? "Loading clusters…" : "Choose a cluster"}
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
