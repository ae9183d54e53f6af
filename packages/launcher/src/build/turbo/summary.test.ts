import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { readTurboPlan, readTurboSummary } from "./summary.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-turbo-"));
afterAll(() => rmSync(folder, { recursive: true }));

const unit = {
  ...{ taskId: "//#unit", hash: "aaa", command: "vitest run", logFile: "unit.log", cache: { status: "MISS" } },
  execution: { startTime: 1_000, endTime: 3_500, exitCode: 1 },
};
const lint = {
  ...{ taskId: "//#lint", hash: "bbb", command: "biome ci", logFile: "lint.log", cache: { status: "HIT" } },
  execution: { startTime: 1_000, endTime: 1_010, exitCode: 0 },
};
const noScript = { ...lint, taskId: "@fairlead/db#build", command: "<NONEXISTENT>" };
const summary = JSON.stringify({ tasks: [unit, lint, noScript] });

it("reads the outcome and the output of each task that has a command, once", () => {
  const file = path.join(folder, "run.json");
  writeFileSync(file, summary);
  writeFileSync(path.join(folder, "unit.log"), "1 failed\n");
  expect(
    readTurboSummary(folder, `  Tasks:    1 successful, 2 total\nSummary:    ${file}\n Failed:    //#unit\n`),
  ).toEqual([
    { id: "//#unit", hash: "aaa", isCached: false, exitCode: 1, ms: 2_500, log: "1 failed" },
    { id: "//#lint", hash: "bbb", isCached: true, exitCode: 0, ms: 10, log: "" },
  ]);
  expect(existsSync(file)).toBe(false);
});

it("returns nothing if turbo ended before its tasks began", () => {
  expect(readTurboSummary(folder, "x Could not resolve workspace.")).toEqual([]);
});

it("reads the hash of a task from a plan", () => {
  expect(readTurboPlan(summary, "//#lint")).toEqual({ hash: "bbb", isCached: true });
  expect(readTurboPlan(summary, "//#none")).toBeNull();
});
