import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Metrics } from "./metrics.ts";

/** addProcessMetrics adds what every process can say of itself, under the names that Prometheus' own clients use. */
export function addProcessMetrics(metrics: Metrics): void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  metrics.gauge("process_resident_memory_bytes", "Resident memory.", () => [{ value: process.memoryUsage.rss() }]);
  metrics.gauge("process_uptime_seconds", "Time since the start.", () => [{ value: process.uptime() }]);
  metrics.gauge("nodejs_eventloop_delay_seconds_p99", "Event loop delay, 99th percentile since the last look.", () => {
    const value = delay.percentile(99) / 1e9;
    delay.reset();
    return [{ value }];
  });
}
