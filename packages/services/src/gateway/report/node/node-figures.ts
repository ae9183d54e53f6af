import type { CheckedReport } from "../check-report.ts";

/** The few figures that lists show of a node; null where a report lacks them. */
export type NodeFigures = { cpuUtilizationRatio: number | null; memoryUsedRatio: number | null; load1: number | null };

/** nodeFigures takes the newest point of each. */
export function nodeFigures(report: CheckedReport): NodeFigures {
  const used = newest(report, "memoryUsedBytes");
  const total = newest(report, "memoryTotalBytes");
  return {
    cpuUtilizationRatio: newest(report, "cpuUtilizationRatio"),
    memoryUsedRatio: used !== null && total ? used / total : null,
    load1: newest(report, "load1"),
  };
}

function newest(report: CheckedReport, metric: string): number | null {
  const series = report.series.find((each) => each.metric === metric && each.labels === "{}");
  if (!series) return null;
  let last = 0;
  for (let index = 1; index < series.atMs.length; index++)
    if ((series.atMs[index] ?? 0) >= (series.atMs[last] ?? 0)) last = index;
  return series.values[last] ?? null;
}
