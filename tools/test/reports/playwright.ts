import { existsSync, readFileSync } from "node:fs";
import type { Counter, Outcome, TestResult } from "./test-result.ts";

type Spec = {
  title: string;
  file: string;
  tests: {
    projectName: string;
    status: string;
    annotations?: { type: string; description?: string }[];
    results: { duration: number; error?: { message?: string } }[];
  }[];
};
type Part = { title: string; specs?: Spec[]; suites?: Part[] };

const outcomes: Record<string, Outcome> = { expected: "passed", unexpected: "failed", flaky: "failed" };

/** readPlaywright reads a file that Playwright's reporter `json` wrote. A test that passes only on a retry counts as failed. */
export function readPlaywright(file: string): Counter {
  return () => {
    if (!existsSync(file)) return null;
    const { suites } = JSON.parse(readFileSync(file, "utf8")) as { suites: Part[] };
    return suites.flatMap((part) => testsOf(part, []));
  };
}

function testsOf({ title, specs = [], suites = [] }: Part, above: readonly string[]): TestResult[] {
  // The outermost title is the file, which each spec names as well.
  const own = specs.flatMap((spec) =>
    spec.tests.map((test): TestResult => {
      const reason = test.results.at(-1)?.error?.message ?? reasonToSkip(test);
      return {
        name: [...above.slice(1), title, spec.title].filter((part) => part && part !== spec.file).join(" › "),
        place: `${test.projectName}/${spec.file}`,
        outcome: outcomes[test.status] ?? "skipped",
        ms: test.results.reduce((sum, { duration }) => sum + duration, 0),
        ...(reason ? { reason } : {}),
      };
    }),
  );
  return [...own, ...suites.flatMap((part) => testsOf(part, [...above, title]))];
}

function reasonToSkip({ status, annotations = [] }: Spec["tests"][number]): string | undefined {
  if (status !== "skipped") return undefined;
  const reason = annotations.find(({ type }) => type === "skip" || type === "fixme")?.description;
  return reason ?? "not run: it depends on a test that failed";
}
