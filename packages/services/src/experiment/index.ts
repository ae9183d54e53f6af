export { getExperiment } from "./get.ts";
export { listExperimentSteps, listExperiments } from "./list.ts";
export { type LookedAt, lookAtExperiment } from "./look.ts";
export { startExperiment } from "./start.ts";
export { stopExperiment } from "./stop.ts";
