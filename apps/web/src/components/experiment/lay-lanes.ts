import type { ExperimentReplica, ExperimentSeries } from "@fairlead/domain/experiment";

export type LaneSpan = { from: number; to: number };

/** When routers' kernels sent traffic to a replica, and for how much of the time. */
export type Lane = { agentId: string; nodeId: string; name: string; spans: LaneSpan[]; share: number };

/** More lanes than this are unreadable. */
export const maxLanes = 24;

/** layLanes lays out the routing table over time, one lane per replica, and counts replicas without a lane. */
export function layLanes(
  replicas: readonly ExperimentReplica[],
  { routed, to }: Pick<ExperimentSeries, "routed" | "to">,
): { lanes: Lane[]; hidden: number } {
  const lanes = replicas.slice(0, maxLanes).map(({ agentId, nodeId, nodeName }): Lane => {
    const spans = spansOf(agentId, routed, to.getTime());
    return { agentId, nodeId, name: nodeName, spans, share: shareOf(spans, routed[0]?.at.getTime(), to.getTime()) };
  });
  return { lanes, hidden: replicas.length - lanes.length };
}

/** Merges adjacent spans: changes of other replicas don't matter for this one. */
function spansOf(agentId: string, routed: ExperimentSeries["routed"], end: number): LaneSpan[] {
  const spans: LaneSpan[] = [];
  for (const [i, step] of routed.entries()) {
    if (!step.replicas.includes(agentId)) continue;
    const from = step.at.getTime();
    const to = routed[i + 1]?.at.getTime() ?? Math.max(from, end);
    const last = spans.at(-1);
    if (last && last.to === from) last.to = to;
    else spans.push({ from, to });
  }
  return spans;
}

function shareOf(spans: readonly LaneSpan[], from: number | undefined, to: number): number {
  if (from === undefined || to <= from) return 0;
  return spans.reduce((sum, span) => sum + span.to - span.from, 0) / (to - from);
}

/** isRoutedAt reports whether kernels sent traffic to a replica at an instant. */
export function isRoutedAt(lane: Lane, at: number): boolean {
  return lane.spans.some((span) => at >= span.from && at < span.to);
}
