import { createLoader, type inferParserType, parseAsBoolean, parseAsString } from "nuqs/server";
import { inCluster } from "@/components/table/table-params.ts";

export const experimentParams = {
  cluster: parseAsString,
  /** The dialog that starts one is open. */
  start: parseAsBoolean.withDefault(false),
};
export type ExperimentParams = inferParserType<typeof experimentParams>;

export const loadExperimentParams = createLoader(experimentParams);

export const shown = 100;

export function experimentsInput({ cluster }: Pick<ExperimentParams, "cluster">, limit = shown) {
  return { ...inCluster(cluster), limit };
}
