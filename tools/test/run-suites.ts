import os from "node:os";
import path from "node:path";
import { Background } from "./background.ts";
import { readableGo, readGo } from "./reports/go.ts";
import type { SuiteResult } from "./reports/summary.ts";
import { countOutcomes, type TestResult } from "./reports/test-result.ts";
import { type Ran, runCommand } from "./run-command.ts";
import { runScheduled } from "./schedule.ts";
import type { Build, Suite } from "./suite.ts";

type Place = { root: string; folder: string; signal: AbortSignal };
export type RunResult = { suites: SuiteResult[]; cached: string[] };

const beatMs = 60_000;
const minute = 60_000;

/** runSuites runs suites in parallel as the cores allow, prints each result, and returns the results in list order. */
export async function runSuites(suites: readonly Suite[], { root, folder, signal }: Place): Promise<RunResult> {
  // At least two, so that four waiting suites fit; a suite that must be alone takes all.
  const cores = Math.max(2, os.availableParallelism());
  const builds = startBuilds(suites, root);
  const results = new Map<string, SuiteResult>();
  const running = new Map<string, number>();
  const beat = setInterval(() => {
    const now = [...running].map(([name, began]) => `${name} (${seconds(Date.now() - began)})`).join(", ");
    console.log(`  … ${results.size} of ${suites.length} suites done; running: ${now || "none, waiting for programs"}`);
  }, beatMs);
  const scheduled = suites.map((suite) => {
    const build = suite.kubernetes && builds.get(suite.kubernetes);
    return { ...suite, ...(build ? { ready: build.ended } : {}) };
  });
  try {
    await runScheduled(scheduled, cores, async (suite) => {
      console.log(`• ${suite.name}`);
      running.set(suite.name, Date.now());
      if (suite.load === "alone") for (const build of builds.values()) build.hold();
      const built = suite.kubernetes && (await builds.get(suite.kubernetes)?.ended);
      const result =
        built && built.code !== 0
          ? failedAsWhole(suite, built.output)
          : await runSuite(suite, { root, folder, signal });
      if (suite.load === "alone") for (const build of builds.values()) build.release();
      running.delete(suite.name);
      results.set(suite.name, result);
      printResult(result);
    });
  } finally {
    clearInterval(beat);
  }
  const built = [...builds].filter(([, build]) => !build.hasWorked).map(([name]) => `Kubernetes programs (${name})`);
  return {
    suites: suites.flatMap(({ name }) => results.get(name) ?? []),
    cached: [...[...results.values()].filter(({ isCached }) => isCached).map(({ name }) => name), ...built],
  };
}

async function runSuite(suite: Suite, { root, folder, signal }: Place): Promise<SuiteResult> {
  const log = path.join(folder, "logs", `${suite.name.replace(/[^\w]+/g, "-")}.log`);
  const limitMs = (suite.limitMinutes ?? 30) * minute;
  if (signal.aborted) return failedAsWhole(suite, "the run was interrupted");
  const ran = await runCommand(suite.command, { signal, limitMs, log, root });
  const tests = readTests(suite, ran);
  const hasFailed = tests.some(({ outcome }) => outcome === "failed");
  if (hasFailed || suite.verbose)
    console.log(suite.command.count === readGo ? readableGo(ran.output) : ran.output.trimEnd());
  const isCached = suite.cached?.(ran.output) ?? false;
  return { name: suite.name, wallMs: Math.round(ran.wallMs), cpuMs: ran.cpuMs, tests, isCached };
}

/** readTests counts a program that fails without a failed test as one failed test. */
function readTests({ name, command }: Suite, { code, output, wallMs, problem }: Ran): TestResult[] {
  const whole = { name, place: command.program, ms: Math.round(wallMs) };
  const counted = readReport(command, output);
  const tests = counted ?? (code === 0 ? [{ ...whole, outcome: "passed" as const }] : []);
  if ((code === 0 && !problem) || tests.some(({ outcome }) => outcome === "failed")) return tests;
  const reason = problem ?? `exit code ${code}: ${output.trimEnd().slice(-2_000)}`;
  return [...tests, { ...whole, outcome: "failed", reason }];
}

/** An incomplete report counts as missing: the exit code shows that something failed. */
function readReport({ count }: Suite["command"], output: string): TestResult[] | null {
  try {
    return count?.(output) ?? null;
  } catch {
    return null;
  }
}

function failedAsWhole({ name }: Suite, reason: string): SuiteResult {
  console.log(reason);
  const test: TestResult = { name, place: name, outcome: "failed", ms: 0, reason };
  return { name, wallMs: 0, cpuMs: 0, tests: [test], isCached: false };
}

function printResult({ name, wallMs, cpuMs, tests }: SuiteResult): void {
  const { passed, failed, skipped } = countOutcomes(tests);
  const mark = failed > 0 ? "✗" : "✓";
  console.log(
    `  ${mark} ${name}: ${passed} passed, ${failed} failed, ${skipped} skipped (${seconds(wallMs)}, CPU ${seconds(cpuMs)})`,
  );
}

/** Kubernetes programs take minutes to build, so this starts first, at idle priority. */
function startBuilds(suites: readonly Suite[], root: string): Map<Build, Background> {
  const wanted = new Set(suites.flatMap(({ kubernetes }) => kubernetes ?? []));
  const options = { "control plane": [], nodes: ["--nodes"], "controller of AWS": ["--aws"] };
  return new Map(
    [...wanted].map((what): [Build, Background] => {
      const title = `building Kubernetes programs (${what})`;
      const args = ["tools/kubernetes/main.ts", "--idle", ...options[what]];
      return [what, new Background(title, process.execPath, args, root)];
    }),
  );
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1_000)} s`;
}
