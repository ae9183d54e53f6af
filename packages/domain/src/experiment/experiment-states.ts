export const experimentStates = ["running", "finished", "stopped", "failed"] as const;
export const experimentStepKinds = ["requested", "observed"] as const;
