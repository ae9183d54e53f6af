"use client";
import type { Cluster } from "@fairlead/domain/cluster";
import { findStrategyLack, mostPlacements, reachedBy } from "@fairlead/domain/exposure";
import { ClusterSelect } from "@/components/ui/form/cluster-select.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { emptyPlacement, ownShare, type PlacementRow } from "./placement-draft.ts";
import { RowFields } from "./row-fields.tsx";
import type { ExposureForm } from "./use-exposure-form.ts";

/** The other clusters that the exposure spans, and their shares. */
export function PlacementFields({ form }: { form: ExposureForm }) {
  const { draft, cluster } = form;
  const own = ownShare(draft.placements);
  const rest = own === null ? "the rest" : `${own} %`;
  return (
    <RowFields<PlacementRow>
      legend={draft.placements.length === 0 ? "No other clusters" : "Other clusters"}
      docs="placements"
      hint={
        draft.placements.length === 0
          ? "Other clusters with the same workload can announce the same address to a router that both have."
          : `Shares of new connections. ${cluster?.name ?? "Its own cluster"} gets ${rest}. A cluster with 0 % stands by: it gets connections only while all others fail.`
      }
      error={form.error("placements") ?? form.error("placements.0.share")}
      rows={draft.placements}
      rowName={(_, index) => `cluster ${index + 1}`}
      fewest={0}
      most={mostPlacements - 1}
      addLabel="Add cluster"
      onChange={(placements) => form.change({ placements })}
      emptyRow={emptyPlacement}
    >
      {(row, index, update) => <PlacementRowFields row={row} index={index} update={update} form={form} />}
    </RowFields>
  );
}

function PlacementRowFields(props: {
  row: PlacementRow;
  index: number;
  update: (change: Partial<PlacementRow>) => void;
  form: ExposureForm;
}) {
  const { row, index, update, form } = props;
  const labelClassName = index > 0 ? "md:sr-only" : undefined;
  // The exposure's own cluster is the first placement.
  const path = (field: string) => `placements.${index + 1}.${field}`;
  const lackOf = (cluster: Cluster) => {
    if (cluster.id === form.draft.clusterId) return "its own cluster";
    if (form.draft.placements.some((each) => each.key !== row.key && each.clusterId === cluster.id)) return "listed";
    return findStrategyLack(reachedBy(cluster), "ecmp")?.message ?? null;
  };
  return (
    <div className="grid gap-2 sm:grid-cols-[minmax(0,1fr)_7rem]">
      <Field
        label="Other cluster"
        docs={null}
        required
        labelClassName={labelClassName}
        error={form.error(path("clusterId")) ?? form.error(path("workload"))}
      >
        {(control) => (
          <ClusterSelect
            control={{ ...control, onBlur: () => form.touch(path("clusterId")) }}
            value={row.clusterId}
            lackOf={lackOf}
            onChange={(clusterId) => update({ clusterId })}
          />
        )}
      </Field>
      <Field label="Share, %" docs={null} required labelClassName={labelClassName} error={form.error(path("share"))}>
        {(control) => (
          <Input
            {...control}
            inputMode="numeric"
            value={row.share}
            onChange={(event) => update({ share: event.target.value })}
            onBlur={() => form.touch(path("share"))}
          />
        )}
      </Field>
    </div>
  );
}
