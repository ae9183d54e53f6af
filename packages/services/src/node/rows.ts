import { type Node, nodeMessage } from "@fairlead/domain";

export type NodeRow = Omit<Node, "message"> & {
  configError: string;
  desiredRevision: number;
  observedRevision: number;
};

export const nodeSource = {
  from: "node_view",
  columns: [
    "id",
    "clusterId",
    "clusterName",
    "name",
    "settings",
    "drainingSince",
    "generation",
    "state",
    "configError",
    "desiredRevision",
    "observedRevision",
    "reportIntervalMs",
    "lastReportAt",
    "agentVersion",
    "cpuUtilizationRatio",
    "memoryUsedRatio",
    "load1",
    "cpuCount",
    "kernel",
    "createdAt",
    "updatedAt",
  ] as const satisfies readonly (keyof NodeRow)[],
};

export function toNode(row: NodeRow, now: Date): Node {
  const { configError: _, desiredRevision: __, observedRevision: ___, ...node } = row;
  return { ...node, message: nodeMessage(row, now) };
}
