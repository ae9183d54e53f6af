import { expect, it } from "vitest";
import { failing, result, wasMeasured } from "./result.ts";

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
