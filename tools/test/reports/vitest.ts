import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Counter, Outcome, TestResult } from "./test-result.ts";

type Report = {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; duration?: number | null; failureMessages?: string[] }[];
  }[];
};

const outcomes: Record<string, Outcome> = { passed: "passed", failed: "failed" };

/** readVitest reads a file that vitest's reporter `json` wrote. A file that could not be loaded is one failed test. */
export function readVitest(file: string, root: string): Counter {
  return () => {
    if (!existsSync(file)) return null;
    const { testResults } = JSON.parse(readFileSync(file, "utf8")) as Report;
    return testResults.flatMap(({ name, status, message, assertionResults }): TestResult[] => {
      const place = path.relative(root, name);
      const isBroken = status === "failed" && !assertionResults.some((test) => test.status === "failed");
      const whole: TestResult[] = isBroken
        ? [{ name: "the file as a whole", place, outcome: "failed", ms: 0, reason: message }]
        : [];
      return [
        ...whole,
        ...assertionResults.map((test): TestResult => {
          const [reason] = test.failureMessages ?? [];
          return {
            name: test.fullName,
            place,
            outcome: outcomes[test.status] ?? "skipped",
            ms: Math.round(test.duration ?? 0),
            ...(reason ? { reason } : {}),
          };
        }),
      ];
    });
  };
}
