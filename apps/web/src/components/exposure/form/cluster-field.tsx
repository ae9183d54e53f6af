"use client";
import type { Cluster } from "@fairlead/domain/cluster";
import { findClusterLack, reachedBy } from "@fairlead/domain/exposure";
import { useCallback } from "react";
import { ClusterSelect } from "@/components/ui/form/cluster-select.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import type { ExposureForm } from "./use-exposure-form.ts";

/** The cluster of the workload. Clusters where nothing can be created are listed with the reason. */
export function ClusterField({ form }: { form: ExposureForm }) {
  const { change } = form;
  const chosen = form.draft.clusterId;
  // Selecting it again keeps the pool: a pool that was filled in at the same moment would not be filled in again.
  const choose = useCallback(
    (clusterId: string) => {
      if (clusterId !== chosen) change({ clusterId, poolId: "" });
    },
    [change, chosen],
  );
  return (
    <Field label="Cluster" docs="strategies" required error={form.error("clusterId")}>
      {(control) => (
        <ClusterSelect
          control={{ ...control, onBlur: () => form.touch("clusterId") }}
          value={form.draft.clusterId}
          lackOf={lackOf}
          onChange={choose}
        />
      )}
    </Field>
  );
}

function lackOf(cluster: Cluster): string | null {
  return findClusterLack(reachedBy(cluster))?.message ?? null;
}
