import type { SuiteResult } from "./summary.ts";
import { countOutcomes, type TestResult } from "./test-result.ts";

/** toJunit returns the results as JUnit's XML, which CI servers read. */
export function toJunit(suites: readonly SuiteResult[]): string {
  const bodies = suites.map(({ name, wallMs, tests }) => {
    const { failed, skipped } = countOutcomes(tests);
    const counts = `tests="${tests.length}" failures="${failed}" skipped="${skipped}" time="${seconds(wallMs)}"`;
    return [`  <testsuite name="${toText(name)}" ${counts}>`, ...tests.map(toCase), "  </testsuite>"].join("\n");
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${bodies.join("\n")}\n</testsuites>\n`;
}

function toCase({ name, place, outcome, ms, reason = "" }: TestResult): string {
  const head = `    <testcase classname="${toText(place)}" name="${toText(name)}" time="${seconds(ms)}"`;
  if (outcome === "passed") return `${head}/>`;
  const [first = ""] = reason.split("\n");
  const body =
    outcome === "failed"
      ? `<failure message="${toText(first)}">${toText(reason)}</failure>`
      : `<skipped message="${toText(first)}"/>`;
  return `${head}>${body}</testcase>`;
}

function toText(text: string): string {
  return (
    text
      // Colours of terminals and other control characters may not be in XML, not even escaped.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to remove
      .replace(/\u001b\[[0-9;]*m|[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
      .replace(/&/g, "&amp;")
      .replace(/</g, "&lt;")
      .replace(/>/g, "&gt;")
      .replace(/"/g, "&quot;")
      .replace(/\n/g, "&#10;")
  );
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}
