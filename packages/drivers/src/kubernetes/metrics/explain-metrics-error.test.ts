import { expect, it } from "vitest";
import { KubernetesError } from "../api/error.ts";
import { explainMetricsError } from "./explain-metrics-error.ts";

const cluster = {
  detailOf: ({ message }: KubernetesError) => message,
  explain: (error: unknown, what: string) => new Error(`can't ${what} (${error})`),
};
const refusal = (status: number, message = "") =>
  new KubernetesError({ status, reason: "", message, retryAfterMs: null });

it.each<[unknown, RegExp]>([
  [refusal(404, "page not found"), /^metrics-server is not installed: .* Install metrics-server there;/],
  [refusal(403), /may not read metrics\.k8s\.io .* Apply the cluster's manifest again/],
  [
    refusal(503, "no endpoints"),
    /is installed, but does not answer \(503\)\. Check .*The API reports: no endpoints\.$/,
  ],
  [refusal(503), /APIService v1beta1\.metrics\.k8s\.io\.$/],
  [refusal(401), /^can't read the metrics of nodes and pods .*\.$/],
  [new Error("refused"), /^can't read the metrics of nodes and pods \(Error: refused\)\.$/],
])("%s becomes a sentence with its cure", (error, want) => {
  expect(explainMetricsError(error, cluster)).toMatch(want);
});
