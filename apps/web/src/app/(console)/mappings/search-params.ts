import { isId } from "@fairlead/domain";
import type { ListAddressMappings } from "@fairlead/domain/address-map";
import { createLoader, type inferParserType, parseAsString } from "nuqs/server";
import { choices, inCluster, tableParams, toListInput } from "@/components/table/table-params.ts";

export const readiness = ["ready", "not-ready"] as const;

export const mappingParams = {
  ...tableParams(["instance", "internalAddress", "externalAddress", "node", "exposureName", "clusterName", "since"], {
    sort: "instance",
    direction: "asc",
  }),
  cluster: parseAsString,
  exposure: parseAsString,
  ready: choices(readiness),
};
export type MappingParams = inferParserType<typeof mappingParams>;

export const loadMappingParams = createLoader(mappingParams);

export function toMappingInput(params: MappingParams): Omit<ListAddressMappings, "limit" | "offset" | "cursor"> {
  // Selecting both is the same as no filter.
  const [only, ...others] = params.ready ?? [];
  return {
    ...toListInput(params),
    ...inCluster(params.cluster),
    ...(params.exposure && isId("exposure", params.exposure) ? { exposureId: params.exposure } : {}),
    ...(only && others.length === 0 ? { ready: only === "ready" } : {}),
  };
}
