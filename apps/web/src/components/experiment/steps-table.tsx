"use client";
import type { ExperimentDetail, ExperimentStep } from "@fairlead/domain/experiment";
import { useQuery } from "@tanstack/react-query";
import { formatQuantity } from "@/components/charts/data/quantity.ts";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { Instant } from "@/components/ui/time/instant.tsx";
import { count } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";

const shown = 12;

/** The latest changes, one by one. */
export function StepsTable({ experiment }: { experiment: ExperimentDetail }) {
  const trpc = useTRPC();
  const steps = useQuery(
    trpc.experimentStep.list.queryOptions({ experimentId: experiment.id, kind: ["requested"], limit: shown }),
  );
  const names = new Map(experiment.replicas.map((each) => [each.agentId, each.nodeName]));
  return (
    <Section
      title="Changes"
      hint={steps.data && steps.data.total > shown ? `the newest ${shown} of ${count(steps.data.total)}` : null}
    >
      {steps.error && !steps.data ? (
        <p role="alert" className="py-2 text-sm">
          {problemOf(steps.error).message}
        </p>
      ) : (
        <RowsTable<ExperimentStep>
          label="Changes"
          rows={steps.data?.items}
          rowKey={({ id }) => id}
          stacks
          empty={
            experiment.state === "running"
              ? `The first change starts ${experiment.changeEverySeconds} s after the start.`
              : "The experiment ended before the first change."
          }
          columns={[
            { label: "Changed at", cell: ({ at }) => <Instant at={at} /> },
            { label: "Replicas", align: "end", cell: ({ replicaCount }) => count(replicaCount) },
            {
              label: "Serving",
              wraps: true,
              cell: ({ replicas }) => replicas.map((id) => names.get(id) ?? id).join(", "),
            },
            {
              label: "Settled after",
              align: "end",
              cell: ({ tookMs }) =>
                tookMs === null ? (
                  <span className="text-muted">not settled before the next change</span>
                ) : (
                  formatQuantity(tookMs, "ms")
                ),
            },
          ]}
        />
      )}
    </Section>
  );
}
