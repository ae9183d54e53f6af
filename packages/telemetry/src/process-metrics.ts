import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Metrics } from "./metrics.ts";

/** addProcessMetrics adds the standard process metrics, under the names of the Prometheus client libraries. */
export function addProcessMetrics(metrics: Metrics): void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  metrics.gauge("process_resident_memory_bytes", "Resident memory.", () => [{ value: process.memoryUsage.rss() }]);
  metrics.gauge("process_uptime_seconds", "Time since the start.", () => [{ value: process.uptime() }]);
  metrics.gauge(
    "nodejs_eventloop_delay_p99_seconds",
    "Event loop delay, 99th percentile since the last scrape.",
    () => {
      const value = delay.percentile(99) / 1e9;
      delay.reset();
      return [{ value }];
    },
  );
}
