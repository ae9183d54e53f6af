import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import type { MetricName } from "./metrics.ts";
import { metricsAt, metricsFrom } from "./select-metrics.ts";

const agents = path.resolve(import.meta.dirname, "../../../../agents/internal");
const namesIn = (file: string, names: RegExp) =>
  [...readFileSync(path.join(agents, file), "utf8").matchAll(names)].map((match) => match[1]);

it.each([
  ["node", "replica", /^(fairlead_replica_\w+)(?: |\{reason=)/gm],
  ["balancer", "load_balancer", /^(fairlead_load_balancer_\w+)\{load_balancer=/gm],
  ["backend", "backend", /^(fairlead_backend_\w+)\{backend=/gm],
] as const)("has the metrics of the level %s on an agent's Prometheus page", (level, prefix, samples) => {
  const names = [...metricsFrom("balancer"), ...metricsFrom("session")]
    .filter((metric) => metricsAt(level).includes(metric))
    .map((metric) => asPrometheus(prefix, metric));
  const declared = new RegExp(`^# TYPE (fairlead_${prefix}_\\w+) gauge$`, "gm");
  expect(namesIn("balancer/testdata/metrics.txt", declared).toSorted()).toEqual(names.toSorted());
  const measured = namesIn("balancer/testdata/metrics.txt", samples);
  expect(measured.length).toBeGreaterThan(0);
  expect(names).toEqual(expect.arrayContaining(measured));
});

it.each([
  ["node", "node/figures.go", /"([a-z]+[A-Z\d]\w*)"/g],
  ["node", "fleet/walk.go", /metric: "(\w+)"/g],
  ["client", "lab/tally.go", /point\("(\w+)"/g],
] as const)("has every figure that a %s reports by %s, and no other", (source, file, names) => {
  expect(namesIn(file, names).toSorted()).toEqual(metricsFrom(source).toSorted());
});

/** On the page a metric has its level in its name, and Prometheus' base units. */
function asPrometheus(prefix: string, metric: MetricName): string {
  const name = metric.replace(/Bps$/, "BytesPerSecond").replace(/Ms(P\d+)$/, "$1Seconds");
  return `fairlead_${prefix}_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}
