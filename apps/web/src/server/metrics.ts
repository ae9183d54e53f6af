import { countConnections } from "@fairlead/services";
import { addProcessMetrics, type Counter, createMetrics, type Histogram, type Metrics } from "@fairlead/telemetry";
import { db } from "./db.ts";

export type WebMetrics = {
  all: Metrics;
  requests: Histogram;
  faults: Counter;
  feedLag: Histogram;
  refusedSignIns: Counter;
  unknownKeys: Counter;
};

const kept = globalThis as { fairleadMetrics?: WebMetrics };

/**
 * metrics are the metrics of this web process. Label values come from small sets: routes and procedures, never paths.
 */
export function metrics(): WebMetrics {
  kept.fairleadMetrics ??= openMetrics();
  return kept.fairleadMetrics;
}

function openMetrics(): WebMetrics {
  const all = createMetrics();
  all.gauge(
    "fairlead_web_database_connections",
    "Connections of all web processes to the database, by state.",
    async () =>
      (await countConnections(db(), "fairlead-web")).map(({ state, count }) => ({ value: count, labels: { state } })),
  );
  addProcessMetrics(all);
  return {
    all,
    requests: all.histogram("fairlead_web_request_duration_seconds", "API requests by route, method and status."),
    faults: all.counter("fairlead_web_faults_total", "Requests that ended in an unexpected error."),
    feedLag: all.histogram("fairlead_web_feed_lag_seconds", "From a change to its fan-out to the live streams."),
    refusedSignIns: all.counter("fairlead_web_refused_sign_ins_total", "Refused sign-ins by method and reason."),
    unknownKeys: all.counter("fairlead_web_unknown_keys_total", "Requests with an API key that does not exist."),
  };
}
