import { expect, it } from "vitest";
import { reportOf } from "./report.ts";
import { result, wasMeasured } from "./result.ts";

const measured = {
  at: new Date(0),
  commit: "c",
  environment: { cpu: "x", cores: 2, memoryBytes: 1, os: "Linux", node: "v24", loadBefore: 0 },
  results: [
    wasMeasured("ours", 1),
    { ...result("ours", "broken", "failures", [1], { at: "max", op: "==", value: 0 }), limit: "web 80 %" },
  ],
  limits: ["one processor"],
};

it("writes no bars for a smoke run, marks it as one, and keeps the file of a real result", () => {
  const { file, content } = reportOf({ name: "churn", form: "smoke" }, measured);
  expect(file).toBe("churn-smoke.json");
  expect(content.smoke).toBe(true);
  expect(content.results).toHaveLength(2);
  for (const row of content.results) {
    expect(Object.keys(row)).toEqual(["subject", "metric", "unit", "n", "median", "low", "high", "p99", "max"]);
  }
});

it("writes the bars of a full and of a quick run", () => {
  for (const form of ["full", "quick"] as const) {
    const { file, content } = reportOf({ name: "churn", form }, measured);
    expect(file).toBe("churn.json");
    expect(content).not.toHaveProperty("smoke");
    expect(content.environment.quick).toBe(form === "quick");
    expect(content.results).toEqual(measured.results);
  }
  expect(reportOf({ name: "churn", form: "full", loss: 1 }, measured).file).toBe("churn-loss.json");
  const part = reportOf({ name: "returns", form: "full", cases: { from: 1, to: 12 } }, measured);
  expect(part.file).toBe("returns-1-12.json");
  expect(part.content.environment).toHaveProperty("cases", { from: 1, to: 12 });
});
