import type { Metrics } from "@fairlead/telemetry";
import type { WatchHub } from "./agents/watch-hub.ts";

/** measureGateway registers the gateway's metrics and returns the function to call after each stored batch. */
export function measureGateway(
  metrics: Metrics,
  gateway: { hub: WatchHub; waiting: () => number },
): (reports: number, points: number, seconds: number) => void {
  const reports = metrics.counter("fairlead_gateway_reports_total", "Reports stored.");
  const points = metrics.counter("fairlead_gateway_points_total", "Points in stored reports.");
  const seconds = metrics.histogram("fairlead_gateway_batch_seconds", "Time to store one batch of reports.");
  metrics.gauge("fairlead_gateway_agents", "Agents with an open stream.", () => [{ value: gateway.hub.size }]);
  metrics.gauge("fairlead_gateway_waiting", "Weight of the reports in the queue, in points.", () => [
    { value: gateway.waiting() },
  ]);
  return (batchReports, batchPoints, batchSeconds) => {
    reports.add({}, batchReports);
    points.add({}, batchPoints);
    seconds.observe(batchSeconds);
  };
}
