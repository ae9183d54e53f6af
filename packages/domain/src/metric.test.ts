import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { type MetricName, metricNames } from "./metric.ts";

const page = readFileSync(
  path.resolve(import.meta.dirname, "../../../agents/internal/balancer/testdata/metrics.txt"),
  "utf8",
);

const ofBalancers: MetricName[] = [
  "throughputBps",
  "toClientsBps",
  "packetsPerSecond",
  "connectionsLive",
  "connectionsNewPerSecond",
  "dropsPerSecond",
  "healthChangesPerSecond",
  "latencyMsP50",
  "latencyMsP99",
  "firstByteMsP50",
  "firstByteMsP99",
];

it("has every figure of an agent's Prometheus page under the same name, and the page has every one of ours", () => {
  const onPage = [...page.matchAll(/^# TYPE (\w+) gauge$/gm)].map((match) => match[1]);
  expect(onPage.toSorted()).toEqual(ofBalancers.map(asPrometheus).toSorted());
  const known = new Set(metricNames.map(asPrometheus));
  expect(onPage.filter((name) => !known.has(name ?? ""))).toEqual([]);
});

function asPrometheus(metric: MetricName): string {
  return `fairlead_${metric.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}
