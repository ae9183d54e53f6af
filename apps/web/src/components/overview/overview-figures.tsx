"use client";
import { describeAge } from "@fairlead/domain";
import type { Overview } from "@fairlead/domain/overview";
import { type Figure, Figures, FiguresSkeleton } from "@/components/detail/figures.tsx";
import { Share } from "@/components/detail/share.tsx";
import { Link } from "../ui/action/link.tsx";
import { count } from "../words/numbers.ts";
import { reportingCount } from "./reporting-count.ts";

const labels = ["Nodes reporting", "Exposures serving", "Load balancers serving", "Pending reconciliation"];

/** Four values: reporting nodes, serving exposures, serving load balancers, and pending reconciliations. */
export function OverviewFigures({ overview }: { overview: Overview | undefined }) {
  if (!overview) return <FiguresSkeleton labels={labels} />;
  const { nodes, exposures, loadBalancers, tasks } = overview;
  const figures: Figure[] = [
    {
      label: "Nodes reporting",
      value: <LinkedShare href="/nodes" part={reportingCount(nodes)} total={nodes.total} />,
      note:
        nodes.byState["out-of-sync"] > 0
          ? `${count(nodes.byState["out-of-sync"])} out of sync`
          : nodes.total === 0
            ? "none yet"
            : "all reporting nodes are in sync",
      tone: nodes.byState.silent > 0 ? "bad" : undefined,
    },
    {
      label: "Exposures serving",
      value: <LinkedShare href="/exposures" part={exposures.byPhase.serving} total={exposures.total} />,
      note: waiting(exposures.byPhase) || none(exposures.total),
      tone: exposures.byPhase.failed > 0 ? "bad" : undefined,
    },
    {
      label: "Load balancers serving",
      value: <LinkedShare href="/load-balancers" part={loadBalancers.byPhase.serving} total={loadBalancers.total} />,
      note: waiting(loadBalancers.byPhase) || none(loadBalancers.total),
      tone: loadBalancers.byPhase.failed > 0 ? "bad" : undefined,
    },
    {
      label: "Pending reconciliation",
      value: count(tasks.due),
      note: tasks.due > 0 ? `the oldest for ${describeAge(tasks.oldestDueMs)}` : "none is overdue",
      tone: tasks.oldestDueMs > 60_000 ? "warn" : undefined,
    },
  ];
  return <Figures figures={figures} />;
}

function LinkedShare({ href, part, total }: { href: string; part: number; total: number }) {
  return (
    <Link href={href} className="hover:underline">
      <Share part={part} total={total} />
    </Link>
  );
}

function none(total: number): string {
  return total === 0 ? "none yet" : "no problems";
}

function waiting({ failed, degraded, pending }: { failed: number; degraded: number; pending: number }): string {
  return [
    failed > 0 ? `${count(failed)} failed` : "",
    degraded > 0 ? `${count(degraded)} degraded` : "",
    pending > 0 ? `${count(pending)} pending` : "",
  ]
    .filter(Boolean)
    .join(", ");
}
