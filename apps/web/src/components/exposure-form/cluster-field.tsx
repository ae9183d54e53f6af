"use client";
import { useCallback } from "react";
import { ClusterSelect } from "@/components/ui/cluster-select.tsx";
import { Field } from "@/components/ui/field.tsx";
import type { ExposureForm } from "./use-exposure-form.ts";

/** Where the workload runs. The only cluster there is need not be chosen. */
export function ClusterField({ form }: { form: ExposureForm }) {
  const { change } = form;
  const chosen = form.draft.clusterId;
  // Chosen once more, it keeps its pool: one that was filled in at the same moment would not be filled in again.
  const choose = useCallback(
    (clusterId: string) => {
      if (clusterId !== chosen) change({ clusterId, poolId: "" });
    },
    [change, chosen],
  );
  return (
    <Field label="Cluster" required error={form.error("clusterId")}>
      {(control) => (
        <ClusterSelect
          control={{ ...control, onBlur: () => form.touch("clusterId") }}
          value={form.draft.clusterId}
          onChange={choose}
        />
      )}
    </Field>
  );
}
