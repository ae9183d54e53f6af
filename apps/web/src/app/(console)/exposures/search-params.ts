import { exposurePhases, type ListExposures, strategyTypes } from "@fairlead/domain/exposure";
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
  paused: choices(["yes", "no"]),
};
export type ExposureParams = inferParserType<typeof exposureParams>;

export const loadExposureParams = createLoader(exposureParams);

/** The query of the list, without the page. The server and the browser must send the same one to share the response. */
export function toExposureInput(params: ExposureParams): Omit<ListExposures, "limit" | "offset" | "cursor"> {
  return {
    ...toListInput(params),
    ...inCluster(params.cluster),
    ...(params.phase ? { phase: params.phase } : {}),
    ...(params.strategy ? { strategy: params.strategy } : {}),
    ...(params.paused?.length === 1 ? { isPaused: params.paused[0] === "yes" } : {}),
  };
}
