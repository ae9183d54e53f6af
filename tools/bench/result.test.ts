import { expect, it } from "vitest";
import { explainLimits, lacking, missed, required, result, wasMeasured } from "./result.ts";

const none = { at: "max", op: "==", value: 0 } as const;

it("applies every bar to both measuring forms", () => {
  const results = [
    result("a", "broken", "failures", [1], none),
    result("a", "a list", "ms", [500], { at: "p99", op: "<=", value: 100 }),
    result("a", "ingest", "samples/s", [1], { at: "low", op: ">=", value: 20 }),
    result("a", "of another", "ratio", [1], { at: "median", op: ">=", value: 1 }),
    result("a", "reported", "failures", [1]),
    result("b", "broken", "failures", [0], none),
  ];
  expect(missed(results).map((each) => each.metric)).toEqual(["broken", "a list", "ingest"]);
});

it("reports a subject without enough measurements as missed", () => {
  expect(missed([wasMeasured("ours", 0)])).toHaveLength(1);
  expect(missed([wasMeasured("ours", 9, 10)])).toHaveLength(1);
  expect(missed([wasMeasured("ours", 10, 10)])).toEqual([]);
});

it("fails a smoke run for missing figures and required bars, not for others", () => {
  const slow = result("ours", "a list", "ms", [500], { at: "p99", op: "<=", value: 100 });
  expect(lacking([wasMeasured("ours", 1), slow])).toEqual([]);
  expect(lacking([slow])).toEqual([]);
  expect(lacking([])).toEqual(["no figures at all"]);
  expect(lacking([wasMeasured("ours", 0), slow])).toEqual(["ours, times it was measured: 0, and not low >= 1"]);
  const broken = (count: number) => required(result("ours", "broken", "failures", [count], none));
  expect(lacking([slow, broken(0)])).toEqual([]);
  expect(lacking([slow, broken(1)])).toEqual(["ours, broken: 1, and not max == 0"]);
});

it("explains the limit of each figure, once for those measured together", () => {
  const results = [
    result("a", "broken", "failures", [0], none),
    { ...result("a", "by REST", "ms", [1]), limit: "web 80 %" },
    { ...result("a", "by tRPC", "ms", [2]), limit: "web 80 %" },
    { ...result("a", "a table", "ms", [3]), limit: "its scripts 2 ms" },
  ];
  expect(explainLimits(results)).toEqual(["by REST, by tRPC: web 80 %", "a table: its scripts 2 ms"]);
});
