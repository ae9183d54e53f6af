export * from "./apply-change.ts";
export * from "./complete-figures.ts";
export * from "./measured-service.ts";
export * from "./simulated-service.ts";
export * from "./to-plan.ts";
export * from "./to-prediction.ts";
export * from "./what-if.ts";
