import { viewSource } from "@fairlead/db";
import { experiment, experimentDetail, experimentStep } from "@fairlead/domain/experiment";

export const experimentSource = viewSource("experiment_view", experiment);

/** With the participants. How long changes took is calculated. */
export const experimentDetailSource = viewSource(
  "experiment_view",
  experimentDetail.omit({ delays: true, settleMsP50: true, settleMsP99: true }),
);

export const experimentStepSource = viewSource("experiment_step_view", experimentStep);
