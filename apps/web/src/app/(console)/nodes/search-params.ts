import { agentRoles, type ListNodes, nodeStates } from "@fairlead/domain/node";
import { createLoader, type inferParserType, parseAsBoolean, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { choices, inCluster, tableParams, toListInput } from "@/components/table/table-params.ts";

export const nodeParams = {
  ...tableParams(
    ["name", "clusterName", "state", "lastReportAt", "cpuUtilizationRatio", "memoryUsedRatio", "createdAt"],
    { sort: "name", direction: "asc" },
  ),
  cluster: parseAsString,
  state: choices(nodeStates),
  /** Whether the dialog that adds a node is open. */
  add: parseAsBoolean.withDefault(false),
  /** The role that the dialog selects. */
  role: parseAsStringLiteral(agentRoles).withDefault("node"),
};
export type NodeParams = inferParserType<typeof nodeParams>;

export const loadNodeParams = createLoader(nodeParams);

export function toNodeInput(params: NodeParams): Omit<ListNodes, "limit" | "offset" | "cursor"> {
  return { ...toListInput(params), ...inCluster(params.cluster), ...(params.state ? { state: params.state } : {}) };
}
