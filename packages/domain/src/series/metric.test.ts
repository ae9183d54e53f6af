import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { type MetricName, metricsAt, metricsFrom } from "./metrics.ts";

const agents = path.resolve(import.meta.dirname, "../../../../agents/internal");
const namesIn = (file: string, names: RegExp) =>
  [...readFileSync(path.join(agents, file), "utf8").matchAll(names)].map((match) => match[1]);

it("has the same balancer metrics as an agent's Prometheus page", () => {
  const onPage = namesIn("balancer/testdata/metrics.txt", /^# TYPE (\w+) gauge$/gm);
  expect(onPage.toSorted()).toEqual(metricsFrom("balancer").map(asPrometheus).toSorted());
});

it.each([
  ["node", /^(fairlead_\w+)(?: |\{(?!.*load_balancer=))/gm],
  ["balancer", /^(fairlead_\w+)\{load_balancer=/gm],
  ["backend", /^(fairlead_\w+)\{backend=/gm],
] as const)("lists the level %s for every metric that an agent's Prometheus page has at it", (level, names) => {
  const onPage = namesIn("balancer/testdata/metrics.txt", names);
  expect(onPage.length).toBeGreaterThan(0);
  expect(metricsAt(level).map(asPrometheus)).toEqual(expect.arrayContaining(onPage));
});

it.each([
  ["node", "node/figures.go", /"([a-z]+[A-Z\d]\w*)"/g],
  ["node", "fleet/walk.go", /metric: "(\w+)"/g],
  ["client", "lab/tally.go", /point\("(\w+)"/g],
] as const)("has every figure that a %s reports by %s, and no other", (source, file, names) => {
  expect(namesIn(file, names).toSorted()).toEqual(metricsFrom(source).toSorted());
});

function asPrometheus(metric: MetricName): string {
  return `fairlead_${metric.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}
