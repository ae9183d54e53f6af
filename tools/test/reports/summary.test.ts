import { describe, expect, it } from "vitest";
import { toJunit } from "./junit.ts";
import { describeSummary, type SuiteResult } from "./summary.ts";

const suites: SuiteResult[] = [
  {
    name: "unit",
    wallMs: 27_400,
    cpuMs: 41_000,
    isCached: true,
    tests: [
      { name: "adds", place: "a.test.ts", outcome: "passed", ms: 120 },
      {
        name: "fails < often",
        place: "a.test.ts",
        outcome: "failed",
        ms: 3,
        reason: 'expected "1"\n\u001b[31mred\u001b[0m',
      },
    ],
  },
  {
    name: "go",
    wallMs: 1_000,
    cpuMs: 0,
    isCached: false,
    tests: [{ name: "TestXdp", place: "bpf", outcome: "skipped", ms: 0, reason: "xdp_test.go:9: no driver mode" }],
  },
];

describe("the end of a run", () => {
  it("shows each suite's time and counts, the slowest tests, failures and skips with reasons, and the total in the last line", () => {
    const summary = {
      startedAt: "",
      commit: "",
      cores: 2,
      wallMs: 30_000,
      cpuMs: 41_000,
      suites,
      skippedSuites: ["db"],
      cached: ["unit"],
    };
    expect(describeSummary(summary)).toEqual([
      "",
      "suite   wall    CPU  passed  failed  skipped",
      "unit    27 s   41 s       1       1        0",
      "go     1.0 s  0.0 s       0       0        1",
      "",
      "The 20 slowest tests:",
      "    0.1 s  unit: a.test.ts › adds",
      "    0.0 s  unit: a.test.ts › fails < often",
      "",
      "From caches: unit",
      "Not affected, not run: db",
      "",
      "Skipped:",
      "  go: bpf › TestXdp (xdp_test.go:9: no driver mode)",
      "",
      "Failed:",
      "  unit: a.test.ts › fails < often",
      '      expected "1"',
      "      red",
      "",
      "30 s on 2 cores, 41 s of processor time",
      "1 passed, 1 failed, 1 skipped",
    ]);
  });

  it("shortens long and repeated reasons", () => {
    const reason = Array.from({ length: 100 }, (_, i) => `line ${i} ${"x".repeat(400)}`).join("\n\n");
    const skipped = ["a", "b", "c"].map((name) => ({ name, place: "p", outcome: "skipped" as const, ms: 0 }));
    const tests = [{ name: "breaks", place: "p", outcome: "failed" as const, ms: 0, reason }, ...skipped];
    const lines = describeSummary({
      startedAt: "",
      commit: "",
      cores: 2,
      wallMs: 0,
      cpuMs: 0,
      suites: [{ name: "long", wallMs: 0, cpuMs: 0, isCached: false, tests }],
      skippedSuites: [],
      cached: [],
    });
    expect(lines).toContain("  long: p › a and 2 more (no reason given)");
    const shown = lines.slice(lines.indexOf("  long: p › breaks") + 1, lines.indexOf("  long: p › breaks") + 26);
    expect(shown.map((line) => line.slice(0, 13).trim())).toEqual([
      ...Array.from({ length: 12 }, (_, i) => i).map((i) => `line ${i}`),
      "…",
      ...Array.from({ length: 12 }, (_, i) => 88 + i).map((i) => `line ${i}`),
    ]);
    expect(Math.max(...shown.map((line) => line.length))).toBeLessThanOrEqual(306);
  });

  it("is written as JUnit XML, without characters that XML forbids", () => {
    expect(toJunit(suites)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="unit" tests="2" failures="1" skipped="0" time="27.400">
    <testcase classname="a.test.ts" name="adds" time="0.120"/>
    <testcase classname="a.test.ts" name="fails &lt; often" time="0.003"><failure message="expected &quot;1&quot;">expected &quot;1&quot;&#10;red</failure></testcase>
  </testsuite>
  <testsuite name="go" tests="1" failures="0" skipped="1" time="1.000">
    <testcase classname="bpf" name="TestXdp" time="0.000"><skipped message="xdp_test.go:9: no driver mode"/></testcase>
  </testsuite>
</testsuites>
`);
  });
});
