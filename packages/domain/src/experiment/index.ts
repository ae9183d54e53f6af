export * from "./experiment.ts";
export * from "./experiment-states.ts";
export * from "./plan-experiment.ts";
export * from "./share-out.ts";
