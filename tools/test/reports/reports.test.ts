import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readableGo, readGo } from "./go.ts";
import { readPlaywright } from "./playwright.ts";
import { readVitest } from "./vitest.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-reports-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function written(report: unknown): string {
  const file = path.join(folder, "report.json");
  writeFileSync(file, JSON.stringify(report));
  return file;
}

describe("the report of vitest", () => {
  it("gives each test with its file, time and reason", () => {
    const assertionResults = [
      { fullName: "a sum adds", status: "passed", duration: 12.4 },
      { fullName: "a sum overflows", status: "failed", duration: 3, failureMessages: ["expected 1"] },
      { fullName: "a sum rests", status: "pending" },
    ];
    const file = written({
      testResults: [{ name: "/repo/a.test.ts", status: "failed", message: "", assertionResults }],
    });
    expect(readVitest(file, "/repo")("")).toEqual([
      { name: "a sum adds", place: "a.test.ts", outcome: "passed", ms: 12 },
      { name: "a sum overflows", place: "a.test.ts", outcome: "failed", ms: 3, reason: "expected 1" },
      { name: "a sum rests", place: "a.test.ts", outcome: "skipped", ms: 0 },
    ]);
  });

  it("counts a file that could not be loaded as failed", () => {
    const broken = { name: "/repo/b.test.ts", status: "failed", message: "no such module", assertionResults: [] };
    expect(readVitest(written({ testResults: [broken] }), "/repo")("")).toEqual([
      { name: "the file as a whole", place: "b.test.ts", outcome: "failed", ms: 0, reason: "no such module" },
    ]);
  });

  it("is null when it was not written", () => {
    expect(readVitest(path.join(folder, "none.json"), "/repo")("")).toBeNull();
  });
});

describe("the report of Playwright", () => {
  const spec = (title: string, status: string, result: object, annotations: object[] = []) => ({
    title,
    file: "a.spec.ts",
    tests: [{ projectName: "small", status, annotations, results: [{ duration: 5, ...result }] }],
  });

  it("gives each test with its project; one that needed a retry has failed", () => {
    const specs = [
      spec("shows", "expected", {}),
      spec("hides", "flaky", {}),
      spec("breaks", "unexpected", { error: { message: "timeout" } }),
      spec("rests", "skipped", {}, [{ type: "skip", description: "one core" }]),
      spec("follows", "skipped", {}),
    ];
    const file = written({ suites: [{ title: "a.spec.ts", suites: [{ title: "the page", specs }] }] });
    const place = "small/a.spec.ts";
    expect(readPlaywright(file)("")).toEqual([
      { name: "the page › shows", place, outcome: "passed", ms: 5 },
      { name: "the page › hides", place, outcome: "failed", ms: 5 },
      { name: "the page › breaks", place, outcome: "failed", ms: 5, reason: "timeout" },
      { name: "the page › rests", place, outcome: "skipped", ms: 5, reason: "one core" },
      {
        name: "the page › follows",
        place,
        outcome: "skipped",
        ms: 5,
        reason: "not run: it depends on a test that failed",
      },
    ]);
  });
});

describe("the report of Go", () => {
  const events = (...all: object[]) => all.map((event) => JSON.stringify({ Package: "bgp", ...event })).join("\n");

  it("gives each test with its package, and the output of failed or skipped ones", () => {
    const output = events(
      { Action: "run", Test: "TestUp" },
      { Action: "pass", Test: "TestUp", Elapsed: 1.5 },
      { Action: "output", Test: "TestDown", Output: "=== RUN TestDown\n" },
      { Action: "output", Test: "TestDown", Output: "bgp_test.go:3: no session\n" },
      { Action: "fail", Test: "TestDown", Elapsed: 0 },
      { Action: "fail", Elapsed: 2 },
    );
    expect(readGo(output)).toEqual([
      { name: "TestUp", place: "bgp", outcome: "passed", ms: 1_500 },
      { name: "TestDown", place: "bgp", outcome: "failed", ms: 0, reason: "bgp_test.go:3: no session" },
    ]);
    expect(readableGo(output)).toBe("=== RUN TestDown\nbgp_test.go:3: no session\n");
  });

  it("is null, and readable, when nothing could be compiled", () => {
    const output = "bgp.go:3:1: syntax error\n";
    expect(readGo(output)).toBeNull();
    expect(readableGo(output)).toContain("bgp.go:3:1: syntax error");
  });

  it("skips an incomplete line", () => {
    expect(readGo(`${events({ Action: "pass", Test: "TestUp", Elapsed: 0 })}\n{"Action":"pa`)).toHaveLength(1);
  });
});
