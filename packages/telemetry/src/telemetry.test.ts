import { expect, it } from "vitest";
import { jsonLog } from "./log.ts";
import { createMetrics } from "./metrics.ts";

it("writes counters, gauges and histograms in the text format of Prometheus", async () => {
  const metrics = createMetrics();
  const tasks = metrics.counter("tasks_total", "Tasks by outcome.");
  const seconds = metrics.histogram("task_seconds", "How long.", [0.1, 1]);
  metrics.gauge("due_seconds", "Oldest.", () => [{ value: 1.5 }]);
  metrics.gauge("away", "Can't be read.", () => Promise.reject(new Error("away")));
  tasks.add({ outcome: "done" });
  tasks.add({ outcome: "done" }, 2);
  tasks.add({ outcome: 'a "b"\n' });
  seconds.observe(0.1);
  seconds.observe(0.5);
  expect(await metrics.page()).toBe(`# HELP tasks_total Tasks by outcome.
# TYPE tasks_total counter
tasks_total{outcome="done"} 3
tasks_total{outcome="a \\"b\\"\\n"} 1
# HELP task_seconds How long.
# TYPE task_seconds histogram
task_seconds_bucket{le="0.1"} 1
task_seconds_bucket{le="1"} 2
task_seconds_bucket{le="+Inf"} 2
task_seconds_sum 0.6
task_seconds_count 2
# HELP due_seconds Oldest.
# TYPE due_seconds gauge
due_seconds 1.5
`);
});

it("ends one series of a counter when it is removed", async () => {
  const metrics = createMetrics();
  const troubles = metrics.counter("troubles_total", "Troubles.");
  for (const cluster of ["a", "b"]) troubles.add({ cluster });
  troubles.remove({ cluster: "a" });
  expect(await metrics.page()).toContain('# TYPE troubles_total counter\ntroubles_total{cluster="b"} 1\n');
});

it("writes one JSON object per line, with error details", () => {
  const lines: string[] = [];
  const log = jsonLog(
    (line) => lines.push(line),
    { part: "loop" },
    () => new Date(0),
  );
  log.with({ kind: "node" }).error("failed", { err: new Error("no", { cause: new Error("why") }), size: 5n });
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    at: "1970-01-01T00:00:00.000Z",
    level: "error",
    msg: "failed",
    part: "loop",
    kind: "node",
    err: { message: "no", cause: { message: "why" } },
    size: "5",
  });
});
