import { createLoader, type inferParserType, parseAsBoolean, parseAsString } from "nuqs/server";
import { inCluster } from "@/components/table/table-params.ts";

export const experimentParams = {
  cluster: parseAsString,
  /** Whether the dialog that starts an experiment is open. */
  start: parseAsBoolean.withDefault(false),
};
export type ExperimentParams = inferParserType<typeof experimentParams>;

export const loadExperimentParams = createLoader(experimentParams);

export const shown = 100;

export function experimentsInput({ cluster }: Pick<ExperimentParams, "cluster">, limit = shown) {
  return { ...inCluster(cluster), limit };
}
