import { expect, it } from "vitest";
import { explainLimits, failing, result, wasMeasured } from "./result.ts";

const none = { at: "max", op: "==", value: 0 } as const;
const metrics = (results: ReturnType<typeof failing>) => results.map((each) => each.metric);

it("holds the short form to all but how fast it was", () => {
  const results = [
    result("a", "broken", "failures", [1], none),
    result("a", "made", "connections", [5], { at: "low", op: ">=", value: 10 }),
    result("a", "a list", "ms", [500], { at: "p99", op: "<=", value: 100 }),
    result("a", "ingest", "samples/s", [1], { at: "low", op: ">=", value: 20 }),
    result("a", "of another", "ratio", [0.1], { at: "median", op: ">=", value: 1 }),
    result("a", "told", "failures", [1]),
    result("b", "broken", "failures", [0], none),
  ];
  expect(metrics(failing(results, true))).toEqual(["broken", "made"]);
  expect(metrics(failing(results, false))).toEqual(["broken", "made", "a list", "ingest", "of another"]);
});

it("fails a run without a subject that had to be in it, in both forms", () => {
  expect(wasMeasured("ours", 0).holds).toBe(false);
  expect(wasMeasured("ours", 9, 10).holds).toBe(false);
  expect(wasMeasured("ours", 10, 10).holds).toBe(true);
  for (const quick of [true, false]) expect(failing([wasMeasured("ours", 0)], quick)).toHaveLength(1);
});

it("says what limits each figure, once for those that were measured together", () => {
  const results = [
    result("a", "broken", "failures", [0], none),
    { ...result("a", "by REST", "ms", [1]), limit: "web 80 %" },
    { ...result("a", "by tRPC", "ms", [2]), limit: "web 80 %" },
    { ...result("a", "a table", "ms", [3]), limit: "its scripts 2 ms" },
  ];
  expect(explainLimits(results)).toEqual(["by REST, by tRPC: web 80 %", "a table: its scripts 2 ms"]);
});
