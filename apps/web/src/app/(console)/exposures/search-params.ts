import { exposurePhases, type ListExposures, strategyTypes } from "@fairlead/domain";
import { createLoader, type inferParserType, parseAsString } from "nuqs/server";
import { choices, inCluster, tableParams, toListInput } from "@/components/table/table-params.ts";

export const exposureParams = {
  ...tableParams(["name", "strategy", "phase", "clusterName", "createdAt", "updatedAt"], {
    sort: "name",
    direction: "asc",
  }),
  cluster: parseAsString,
  phase: choices(exposurePhases),
  strategy: choices(strategyTypes),
};
export type ExposureParams = inferParserType<typeof exposureParams>;

export const loadExposureParams = createLoader(exposureParams);

/** What the list is asked, but for the page. The server and the browser must ask the same to share the answer. */
export function toExposureInput(params: ExposureParams): Omit<ListExposures, "limit" | "offset" | "cursor"> {
  return {
    ...toListInput(params),
    ...inCluster(params.cluster),
    ...(params.phase ? { phase: params.phase } : {}),
    ...(params.strategy ? { strategy: params.strategy } : {}),
  };
}
