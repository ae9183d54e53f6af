import type { ExperimentSeries } from "@fairlead/domain/experiment";

type Row = { at: Date } & Partial<
  Record<"desiredReplicas" | "routedReplicas" | "throughputBps" | "requestsPerSecond" | "brokenConnections", number>
>;

/** timelineRows returns a row for each instant at which one of the figures of an experiment changed or was measured. */
export function timelineRows(series: ExperimentSeries): Row[] {
  const rows = new Map<number, Row>();
  const fill = (at: Date, values: Omit<Row, "at">) =>
    rows.set(at.getTime(), { ...(rows.get(at.getTime()) ?? { at }), ...values });
  for (const { at, replicaCount } of series.desired) fill(at, { desiredReplicas: replicaCount });
  for (const { at, replicaCount } of series.routed) fill(at, { routedReplicas: replicaCount });
  for (const { at, value } of series.throughputBps) fill(at, { throughputBps: value });
  for (const { at, value } of series.requestsPerSecond) fill(at, { requestsPerSecond: value });
  for (const { at, value } of series.broken ?? []) fill(at, { brokenConnections: value });
  return [...rows.values()].sort((a, b) => a.at.getTime() - b.at.getTime());
}
