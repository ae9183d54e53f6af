export type Outcome = "passed" | "failed" | "skipped";

/** TestResult is one test of one suite, read from its program's own report. */
export type TestResult = {
  name: string;
  /** The file or the Go package that holds it. */
  place: string;
  outcome: Outcome;
  ms: number;
  /** Why it failed, or was skipped, where the report gives a reason. */
  reason?: string;
};

/** A counter reads a report; null means there is none, so that the exit code alone counts. */
export type Counter = (output: string) => TestResult[] | null;

export type Count = Record<Outcome, number>;

export function countOutcomes(tests: readonly TestResult[]): Count {
  const count: Count = { passed: 0, failed: 0, skipped: 0 };
  for (const { outcome } of tests) count[outcome]++;
  return count;
}
