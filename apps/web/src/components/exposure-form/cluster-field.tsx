"use client";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Field } from "@/components/ui/field.tsx";
import { Select } from "@/components/ui/select.tsx";
import { clusterKindWords } from "@/components/words/clusters.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import type { ExposureForm } from "./use-exposure-form.ts";

/** Where the workload runs. The only cluster there is need not be chosen. */
export function ClusterField({ form }: { form: ExposureForm }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.cluster.list.queryOptions({ limit: 200 }));
  const clusters = query.data?.items;
  const { change } = form;
  const { clusterId } = form.draft;
  const only = clusters?.length === 1 ? clusters[0]?.id : undefined;
  useEffect(() => {
    if (only && !clusterId) change({ clusterId: only });
  }, [only, clusterId, change]);
  return (
    <Field label="Cluster" required error={query.error ? problemOf(query.error).message : form.error("clusterId")}>
      {(control) => (
        <Select
          {...control}
          value={clusterId}
          onChange={(event) => form.change({ clusterId: event.target.value, poolId: "" })}
          onBlur={() => form.touch("clusterId")}
        >
          <option value="">{clusters ? "Choose a cluster" : "Reading the clusters…"}</option>
          {clusters?.map((cluster) => (
            <option key={cluster.id} value={cluster.id}>
              {cluster.name} ({clusterKindWords[cluster.kind].title})
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
