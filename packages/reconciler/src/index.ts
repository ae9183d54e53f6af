export { clusterReconciler } from "./kinds/cluster.ts";
export { exposureReconciler } from "./kinds/exposure/index.ts";
export { nodeReconciler } from "./kinds/node/index.ts";
export { type Loop, type LoopOptions, startLoop } from "./loop.ts";
export { type LoopMetrics, loopMetrics } from "./metrics.ts";
export { type Presence, trackPresence } from "./presence.ts";
export type { ReconcileContext, Reconciler } from "./reconciler.ts";
export { createMissingTasks } from "./sweeps/missing-tasks.sql.ts";
export { silentAgentsSweep } from "./sweeps/silent-agents.ts";
