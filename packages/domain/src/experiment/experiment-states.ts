export const experimentStates = ["running", "finished", "stopped", "failed"] as const;
export const experimentStepKinds = ["asked", "seen"] as const;
