"use client";
import { useCallback } from "react";
import { ClusterSelect } from "@/components/ui/cluster-select.tsx";
import { Field } from "@/components/ui/field.tsx";
import type { ExposureForm } from "./use-exposure-form.ts";

/** Where the workload runs. The only cluster there is need not be chosen. */
export function ClusterField({ form }: { form: ExposureForm }) {
  const { change } = form;
  const choose = useCallback((clusterId: string) => change({ clusterId, poolId: "" }), [change]);
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
