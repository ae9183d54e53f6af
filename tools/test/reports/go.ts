import type { Counter, Outcome, TestResult } from "./test-result.ts";

type GoEvent = { Action: string; Package?: string; Test?: string; Elapsed?: number; Output?: string };

const outcomes: Record<string, Outcome> = { pass: "passed", fail: "failed", skip: "skipped" };

/** readGo reads the events that `go test -json` prints. */
export const readGo: Counter = (output) => {
  const printed = new Map<string, string>();
  const tests: TestResult[] = [];
  for (const { Action, Package = "", Test, Elapsed = 0, Output } of goEvents(output)) {
    if (Test === undefined) continue;
    const key = `${Package} ${Test}`;
    if (Output !== undefined && !Output.startsWith("=== ")) printed.set(key, `${printed.get(key) ?? ""}${Output}`);
    const outcome = outcomes[Action];
    if (!outcome) continue;
    const reason = outcome === "passed" ? undefined : printed.get(key)?.trim().slice(-4_000);
    tests.push({ name: Test, place: Package, outcome, ms: Math.round(Elapsed * 1_000), ...(reason ? { reason } : {}) });
  }
  return tests.length > 0 ? tests : null;
};

/** readableGo returns the output of failing tests and packages, instead of the event stream. */
export function readableGo(output: string): string {
  const events = goEvents(output);
  const keyOf = ({ Package, Test }: GoEvent) => `${Package} ${Test ?? ""}`;
  const failed = new Set(events.filter(({ Action }) => Action === "fail").map(keyOf));
  const printed = events.flatMap((event) => (event.Output && failed.has(keyOf(event)) ? [event.Output] : []));
  // Compilers print plain text between the events.
  const plain = output.split("\n").filter((line) => line && !line.startsWith("{"));
  return [...printed, ...plain.slice(-100)].join("").trim() === ""
    ? output.slice(-4_000)
    : `${printed.join("")}${plain.slice(-100).join("\n")}`;
}

function goEvents(output: string): GoEvent[] {
  return output.split("\n").flatMap((line) => {
    if (!line.startsWith("{")) return [];
    try {
      return [JSON.parse(line) as GoEvent];
    } catch {
      return []; // an incomplete line, because the program was killed
    }
  });
}
