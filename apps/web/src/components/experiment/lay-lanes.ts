import type { ExperimentReplica, ExperimentSeries } from "@fairlead/domain";

export type LaneSpan = { from: number; to: number };

/** What routers' kernels did with one replica: when they sent to it, and for how much of the time. */
export type Lane = { agentId: string; nodeId: string; name: string; spans: LaneSpan[]; share: number };

/** More lanes than this are a wallpaper. */
export const mostLanes = 24;

/** layLanes lays the routing table out over time, a lane for each replica, and says how many have none. */
export function layLanes(
  replicas: readonly ExperimentReplica[],
  { routed, to }: Pick<ExperimentSeries, "routed" | "to">,
): { lanes: Lane[]; hidden: number } {
  const lanes = replicas.slice(0, mostLanes).map(({ agentId, nodeId, nodeName }): Lane => {
    const spans = spansOf(agentId, routed, to.getTime());
    return { agentId, nodeId, name: nodeName, spans, share: shareOf(spans, routed[0]?.at.getTime(), to.getTime()) };
  });
  return { lanes, hidden: replicas.length - lanes.length };
}

/** Spans that touch are one: that a neighbour came or went changes nothing for this one. */
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

/** isRoutedAt says whether kernels sent to a replica at a moment. */
export function isRoutedAt(lane: Lane, at: number): boolean {
  return lane.spans.some((span) => at >= span.from && at < span.to);
}
