import type { ListAddressPools } from "@fairlead/domain/address-pool";
import { createLoader, type inferParserType, parseAsBoolean, parseAsString } from "nuqs/server";
import { inCluster, tableParams, toListInput } from "@/components/table/table-params.ts";

export const poolParams = {
  ...tableParams(["name", "clusterName", "allocated", "createdAt"], { sort: "name", direction: "asc" }),
  cluster: parseAsString,
  /** Whether the dialog that creates a pool is open. */
  create: parseAsBoolean.withDefault(false),
};
export type PoolParams = inferParserType<typeof poolParams>;

export const loadPoolParams = createLoader(poolParams);

export function toPoolInput(params: PoolParams): Omit<ListAddressPools, "limit" | "offset" | "cursor"> {
  return { ...toListInput(params), ...inCluster(params.cluster) };
}
