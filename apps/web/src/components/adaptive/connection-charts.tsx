"use client";
import type { ExposureDetail } from "@fairlead/domain/exposure";
import type { MetricName, SeriesAnswer } from "@fairlead/domain/series";
import { useMemo } from "react";
import { linesOfMetric, linesOfRatio, maxLines, type NameOf } from "@/components/charts/balancer/balancer-lines.ts";
import { ChartGrid } from "@/components/charts/chart-grid.tsx";
import { ChartPanel } from "@/components/charts/chart-panel.tsx";
import { useSeries } from "@/components/charts/data/use-series.ts";
import { ChartGroup } from "@/components/charts/plot/cursor.tsx";
import { nameByReplica } from "@/components/load-balancer/parts/names.ts";
import { useSilent } from "@/components/load-balancer/parts/use-silent.ts";
import { Facts } from "@/components/table/facts.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { describeSavings } from "./describe-savings.ts";
import type { ReportedNode } from "./join-nodes.ts";
import { savingsMetrics, sumSavings } from "./sum-savings.ts";

const local = "localShareRatio";
const away = "sentToOtherNodesPerSecond";
const metrics: MetricName[] = [local, away, ...savingsMetrics];

/** Where new connections went over time: which part stayed on their node, how many didn't, and the round trips that this saved. */
export function ConnectionCharts({ exposure, nodes }: { exposure: ExposureDetail; nodes: ReportedNode[] }) {
  const balancerIds = [...new Set(exposure.replicas.map((each) => each.loadBalancerId))];
  const state = useSeries({ subjectIds: balancerIds, metrics });
  const names = JSON.stringify(exposure.replicas.map((each) => [each.agentId, each.nodeName]));
  const nameOf = useMemo((): NameOf => nameByReplica(names), [names]);
  const isSilent = useSilent(nodes.filter((each) => each.replicaId !== null));
  const answer = state?.answer;
  const lines = useMemo(
    () =>
      answer
        ? { local: linesOfRatio(answer, local, nameOf), away: linesOfMetric(answer, away, nameOf, "all nodes") }
        : null,
    [answer, nameOf],
  );
  const isEmpty = balancerIds.length === 0 || answer?.series.length === 0;
  const shared = {
    ...{ state, isSilent, expectedLines: Math.min(exposure.replicas.length, maxLines) },
    empty: "No samples in this range.",
  };
  return (
    <Section
      title="Measured"
      docs="adaptiveTab"
      hint={isSilent ? "The agents are silent. These are their last reports." : null}
    >
      {isEmpty ? (
        <p className="text-muted text-sm">No samples in this range. The agents report them once connections start.</p>
      ) : (
        <div className="flex flex-col gap-4">
          {answer ? <SavedRoundTrips answer={answer} /> : null}
          <ChartGroup>
            <ChartGrid>
              <ChartPanel
                {...shared}
                title="Answered on the client's node"
                hint={`of new connections${hint(lines?.local.hidden, "lowest")}`}
                data={lines?.local.data ?? null}
              />
              <ChartPanel
                {...shared}
                title="Sent to other nodes"
                hint={`new connections${hint(lines?.away.hidden, "largest")}`}
                data={lines?.away.data ?? null}
              />
            </ChartGrid>
          </ChartGroup>
        </div>
      )}
    </Section>
  );
}

function hint(hidden: number | undefined, kept: string): string {
  return hidden ? `; the ${maxLines} ${kept}; ${hidden} more` : "";
}

function SavedRoundTrips({ answer }: { answer: SeriesAnswer }) {
  const savings = useMemo(() => sumSavings(answer), [answer]);
  if (!savings) return null;
  const { amount, how } = describeSavings(savings);
  return (
    <Facts
      rows={[
        [
          "Round trips",
          <span key="round-trips">
            <span className="font-medium">{amount}</span> <span className="text-muted">{how}</span>
          </span>,
        ],
      ]}
    />
  );
}
