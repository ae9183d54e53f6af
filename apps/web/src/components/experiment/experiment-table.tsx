import type { Experiment } from "@fairlead/domain/experiment";
import type { ReactNode } from "react";
import { formatQuantity } from "@/components/charts/data/quantity.ts";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { count } from "@/components/words/numbers.ts";
import { describeSeconds, experimentLooks } from "./describe-experiment.ts";

export function ExperimentTable({ experiments, empty }: { experiments: Experiment[] | undefined; empty: ReactNode }) {
  return (
    <RowsTable<Experiment>
      label="Experiments"
      rows={experiments}
      rowKey={({ id }) => id}
      stacks
      empty={empty}
      columns={[
        {
          label: "Started",
          cell: ({ id, startedAt, startedBy }) => (
            <span>
              <TextLink href={`/experiments/${id}`} className="font-medium">
                <Age at={startedAt} />
              </TextLink>{" "}
              <span className="text-muted text-xs">by {startedBy}</span>
            </span>
          ),
        },
        {
          label: "Cluster",
          cell: ({ clusterId, clusterName }) => <TextLink href={`/clusters/${clusterId}`}>{clusterName}</TextLink>,
        },
        { label: "State", cell: ({ state }) => <StatusBadge status={experimentLooks[state]} /> },
        {
          label: "Replicas",
          align: "end",
          cell: ({ fewestReplicas, replicaCount }) => `${fewestReplicas} to ${replicaCount}`,
        },
        {
          label: "Schedule",
          wideOnly: true,
          cell: ({ changeEverySeconds, durationSeconds }) =>
            `every ${describeSeconds(changeEverySeconds)}, for ${describeSeconds(durationSeconds)}`,
        },
        {
          label: "Settled",
          align: "end",
          cell: ({ settledCount, changeCount }) => `${count(settledCount)} of ${count(changeCount)}`,
        },
        { label: "Slowest", align: "end", cell: ({ slowestMs }) => formatQuantity(slowestMs, "ms") },
        {
          label: "Broken",
          align: "end",
          cell: ({ brokenConnections }) =>
            brokenConnections === null ? (
              <span className="text-muted" title="No client of the cluster reports.">
                –
              </span>
            ) : (
              <span className={brokenConnections > 0 ? "text-bad" : undefined}>{count(brokenConnections)}</span>
            ),
        },
      ]}
    />
  );
}
