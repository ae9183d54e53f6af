export { jsonLog, type Log, type LogFields, silentLog } from "./log.ts";
export {
  type Counter,
  createMetrics,
  type GaugeReading,
  type Histogram,
  type Labels,
  type Metrics,
} from "./metrics.ts";
export { addProcessMetrics } from "./process-metrics.ts";
