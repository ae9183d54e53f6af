export { markCluster, markExposures, markSeen, type SeenObject } from "./mark-seen.sql.ts";
export { forgetInstances, recordInstances, type SeenInstances } from "./record-instances.sql.ts";
export {
  type MeasuredExposure,
  recordMetrics,
  recordMetricsProblem,
  selectMeasured,
} from "./resource-metrics.sql.ts";
export { type StoredAccess, selectAttached } from "./select-attached.sql.ts";
