import { metricsPage } from "@fairlead/client";
import { expect, it } from "vitest";
import { createMetrics } from "../metrics.ts";
import { addProcessMetrics } from "../process-metrics.ts";
import { findPageProblems } from "./find-page-problems.ts";

it("finds no problem in a page of every kind of metric", async () => {
  const metrics = createMetrics();
  addProcessMetrics(metrics);
  metrics.counter("fairlead_tasks_total", "Tasks of \\ and\nmore.").add({ outcome: 'a "b"\\\n\tc' });
  metrics.histogram("fairlead_task_duration_seconds", "How long.", [0.1, 1]).observe(0.5, { kind: "node" });
  expect(await findPageProblems(await metrics.page())).toEqual([]);
});

it("finds no problem in the client's page of several mappers", async () => {
  const stats = () => ({
    lookups: { hit: 1, pending: 0, unknown: 1, bypassed: 0 },
    refreshes: { changed: 1, unchanged: 0, failed: 0 },
    ...{ changes: 0, restores: 0, generation: 1, entries: 1, ageMs: 1_500, source: "server" as const },
  });
  const page = metricsPage(["exp_1", "exp_1", 'odd "\\\n\t'].map((exposureId) => ({ exposureId, stats })));
  expect(await findPageProblems(page)).toEqual([]);
  expect(page).toContain('fairlead_client_lookups_total{exposure="exp_1",result="hit"} 2\n');
  expect(page).toContain('fairlead_client_map_generation{exposure="exp_1"} 1\n');
});

it("finds what promtool complains about, also in a metric without samples", async () => {
  const metrics = createMetrics();
  metrics.counter("fairlead_tasks", "Tasks.");
  metrics.gauge("fairlead_wait_ms", "Wait.", () => [{ value: 1 }]);
  expect(await findPageProblems(await metrics.page())).toEqual([
    'fairlead_tasks: counter metrics should have "_total" suffix',
    "fairlead_wait_ms: metric names should not contain abbreviated units",
  ]);
});
