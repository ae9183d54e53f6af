export { getExperiment } from "./get.ts";
export { listExperimentSteps, listExperiments } from "./list.ts";
export { type LookedAt, lookAtExperiment } from "./look.ts";
export { readExperimentSeries } from "./series.ts";
export { startExperiment } from "./start.ts";
export { stopExperiment } from "./stop.ts";
export { sweepExperiments } from "./sweep.sql.ts";
