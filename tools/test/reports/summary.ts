import { stripVTControlCharacters } from "node:util";
import type { Suite } from "../suite.ts";
import { type Count, countOutcomes, type TestResult } from "./test-result.ts";

/** SuiteResult is what one suite did in this run. */
export type SuiteResult = {
  name: Suite["name"];
  wallMs: number;
  cpuMs: number;
  tests: TestResult[];
  /** Whether its result came from a cache. */
  isCached: boolean;
};

export type Summary = {
  startedAt: string;
  commit: string;
  cores: number;
  wallMs: number;
  cpuMs: number;
  suites: SuiteResult[];
  /** Suites that `--since` left out, because the change can't affect them. */
  skippedSuites: string[];
  cached: string[];
};

const slowestShown = 20;
const reasonsShown = 40;
const failuresShown = 20;
/** Number of lines shown from the start and from the end of a reason. */
const endsShown = 12;
const widestReason = 300;

export function totalOf(suites: readonly SuiteResult[]): Count {
  return countOutcomes(suites.flatMap(({ tests }) => tests));
}

/** describeSummary returns the lines at the end of a run; the last one counts everything. */
export function describeSummary(summary: Summary): string[] {
  const { suites, skippedSuites, cached, wallMs, cpuMs, cores } = summary;
  const total = totalOf(suites);
  return [
    "",
    ...table(suites),
    "",
    `The ${slowestShown} slowest tests:`,
    ...slowest(suites).map(
      ({ suite, test }) => `  ${seconds(test.ms).padStart(7)}  ${suite}: ${test.place} › ${test.name}`,
    ),
    "",
    `From caches: ${cached.length > 0 ? cached.join(", ") : "nothing"}`,
    ...(skippedSuites.length > 0 ? [`Not affected, not run: ${skippedSuites.join(", ")}`] : []),
    ...describeSkipped(suites),
    ...describeFailed(suites),
    "",
    `${seconds(wallMs)} on ${cores} cores, ${seconds(cpuMs)} of processor time`,
    `${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`,
  ];
}

function table(suites: readonly SuiteResult[]): string[] {
  const rows = suites.map(({ name, wallMs, cpuMs, tests }) => {
    const count = countOutcomes(tests);
    return [name, seconds(wallMs), seconds(cpuMs), ...[count.passed, count.failed, count.skipped].map(String)];
  });
  const all = [["suite", "wall", "CPU", "passed", "failed", "skipped"], ...rows];
  const widths = (all[0] ?? []).map((_, i) => Math.max(...all.map((cells) => cells[i]?.length ?? 0)));
  return all.map((cells) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join("  "),
  );
}

export function slowest(suites: readonly SuiteResult[]): { suite: string; test: TestResult }[] {
  return suites
    .flatMap(({ name, tests }) => tests.map((test) => ({ suite: name, test })))
    .filter(({ test }) => test.ms > 0)
    .sort((a, b) => b.test.ms - a.test.ms)
    .slice(0, slowestShown);
}

/** describeFailed lists each failed test with its reason, so that the end of the output is enough to start from. */
function describeFailed(suites: readonly SuiteResult[]): string[] {
  const found = testsWith(suites, "failed");
  if (found.length === 0) return [];
  const shown = found
    .slice(0, failuresShown)
    .flatMap(({ suite, test }) => [`  ${suite}: ${test.place} › ${test.name}`, ...describeReason(test.reason)]);
  return ["", "Failed:", ...shown, ...andMore(found.length - failuresShown)];
}

/** The first lines of a reason say what happened, the last ones where. */
function describeReason(reason = ""): string[] {
  const lines = linesOf(stripVTControlCharacters(reason)).map((line) => `      ${line.slice(0, widestReason)}`);
  if (lines.length <= 2 * endsShown) return lines;
  return [...lines.slice(0, endsShown), "      …", ...lines.slice(-endsShown)];
}

/** describeSkipped lists skipped tests, grouped by suite and reason. */
function describeSkipped(suites: readonly SuiteResult[]): string[] {
  const groups = Object.values(
    Object.groupBy(testsWith(suites, "skipped"), ({ suite, test }) => `${suite}\n${reasonOf(test)}`),
  ).flatMap((group = []) => {
    const [first] = group;
    if (!first) return [];
    const others = group.length > 1 ? ` and ${group.length - 1} more` : "";
    return [`  ${first.suite}: ${first.test.place} › ${first.test.name}${others} (${reasonOf(first.test)})`];
  });
  if (groups.length === 0) return [];
  return ["", "Skipped:", ...groups.slice(0, reasonsShown), ...andMore(groups.length - reasonsShown)];
}

function testsWith(suites: readonly SuiteResult[], outcome: TestResult["outcome"]) {
  return suites.flatMap(({ name, tests }) =>
    tests.filter((test) => test.outcome === outcome).map((test) => ({ suite: name, test })),
  );
}

function reasonOf({ reason = "" }: TestResult): string {
  return linesOf(reason)[0]?.trim() ?? "no reason given";
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line.trim());
}

function andMore(count: number): string[] {
  return count > 0 ? [`  and ${count} more`] : [];
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}
