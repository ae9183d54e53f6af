import { clusterKinds, type ListClusters } from "@fairlead/domain/cluster";
import { createLoader, type inferParserType, parseAsBoolean } from "nuqs/server";
import { choices, tableParams, toListInput } from "@/components/table/table-params.ts";

export const clusterParams = {
  ...tableParams(["name", "kind", "region", "createdAt"], { sort: "name", direction: "asc" }),
  kind: choices(clusterKinds),
  /** Whether the dialog that creates a cluster is open. */
  create: parseAsBoolean.withDefault(false),
};
export type ClusterParams = inferParserType<typeof clusterParams>;

export const loadClusterParams = createLoader(clusterParams);

export function toClusterInput(params: ClusterParams): Omit<ListClusters, "limit" | "offset" | "cursor"> {
  return { ...toListInput(params), ...(params.kind ? { kind: params.kind } : {}) };
}
