"use client";
import type { ExposureDetail } from "@fairlead/domain/exposure";
import { useMemo } from "react";
import { linesOfRatio, maxLines, type NameOf } from "@/components/charts/balancer/balancer-lines.ts";
import { ChartPanel } from "@/components/charts/chart-panel.tsx";
import { useSeries } from "@/components/charts/data/use-series.ts";
import { ChartGroup } from "@/components/charts/plot/cursor.tsx";
import { nameByReplica } from "@/components/load-balancer/parts/names.ts";
import { useSilent } from "@/components/load-balancer/parts/use-silent.ts";
import { Section } from "@/components/ui/layout/section.tsx";
import type { ReportedNode } from "./join-nodes.ts";

const metric = "localShareRatio";

/** The part of new connections that stayed on their node, over time. */
export function LocalShareChart({ exposure, nodes }: { exposure: ExposureDetail; nodes: ReportedNode[] }) {
  const balancerIds = [...new Set(exposure.replicas.map((each) => each.loadBalancerId))];
  const state = useSeries({ subjectIds: balancerIds, metrics: [metric] });
  const names = JSON.stringify(exposure.replicas.map((each) => [each.agentId, each.nodeName]));
  const nameOf = useMemo((): NameOf => nameByReplica(names), [names]);
  const isSilent = useSilent(nodes.filter((each) => each.replicaId !== null));
  const answer = state?.answer;
  const lines = useMemo(() => (answer ? linesOfRatio(answer, metric, nameOf) : null), [answer, nameOf]);
  const hidden = lines && lines.hidden > 0 ? `; the ${maxLines} lowest; ${lines.hidden} more` : "";
  const isEmpty = balancerIds.length === 0 || answer?.series.length === 0;
  return (
    <Section
      title="Measured"
      docs="balancerCharts"
      hint={isSilent ? "The agents are silent. These are their last reports." : null}
    >
      {isEmpty ? (
        <p className="text-muted text-sm">No samples in this range. The agents report them once connections start.</p>
      ) : (
        <ChartGroup>
          <ChartPanel
            title="Answered on the client's node"
            hint={`of new connections${hidden}`}
            state={state}
            data={lines?.data ?? null}
            expectedLines={Math.min(exposure.replicas.length, maxLines)}
            isSilent={isSilent}
            empty="No samples in this range."
          />
        </ChartGroup>
      )}
    </Section>
  );
}
