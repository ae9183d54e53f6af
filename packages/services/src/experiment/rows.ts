import { viewSource } from "@fairlead/db";
import { experiment, experimentDetail, experimentStep } from "@fairlead/domain/experiment";

export const experimentSource = viewSource("experiment_view", experiment);

/** With who takes part. How long changes took is computed. */
export const experimentDetailSource = viewSource(
  "experiment_view",
  experimentDetail.omit({ delays: true, settleMsP50: true, settleMsP99: true }),
);

export const experimentStepSource = viewSource("experiment_step_view", experimentStep);
