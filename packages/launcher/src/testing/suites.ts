import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../settings.ts";

export type Count = { passed: number; failed: number; skipped: number };

/** A counter reads a suite's own report. It answers null when there is none: then the exit code alone counts. */
export type Counter = (output: string) => Count | null;

type Options = { cwd?: string; env?: Record<string, string>; count?: Counter; always?: boolean };

/** runSuite runs one program, shows what it said when it failed (or always), and counts. */
export async function runSuite(command: string, args: string[], options: Options = {}): Promise<Count> {
  const { code, output } = await run(command, args, options);
  const counted = options.count?.(output) ?? { passed: code === 0 ? 1 : 0, failed: 0, skipped: 0 };
  // A program that fails without a failed test of its own has failed as a whole.
  const count = code !== 0 && counted.failed === 0 ? { ...counted, failed: 1 } : counted;
  if (count.failed > 0 || options.always)
    console.log(options.count === countGo ? readableGo(output) : output.trimEnd());
  return count;
}

function run(command: string, args: string[], options: Options): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    // The programs of the packages start by "node": ours, not the machine's.
    const programs = `${path.join(root, "node_modules/.bin")}${path.delimiter}${process.env.PATH ?? ""}`;
    const env = { ...process.env, PATH: programs, NO_COLOR: "1", ...options.env };
    const child = spawn(command, args, {
      cwd: path.join(root, options.cwd ?? "."),
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const beat = setInterval(() => console.log("  …"), 60_000);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    child.once("error", (error) => {
      output += `${command} could not be started: ${error.message}`;
    });
    child.once("close", (code) => {
      clearInterval(beat);
      resolve({ code: code ?? 1, output });
    });
  });
}

export function countVitest(file: string): Counter {
  return () => {
    if (!existsSync(file)) return null;
    const report = JSON.parse(readFileSync(file, "utf8")) as {
      numPassedTests: number;
      numFailedTests: number;
      numPendingTests: number;
      numTodoTests: number;
    };
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests + report.numTodoTests,
    };
  };
}

export function countPlaywright(file: string): Counter {
  return () => {
    if (!existsSync(file)) return null;
    const { stats } = JSON.parse(readFileSync(file, "utf8")) as {
      stats: { expected: number; unexpected: number; flaky: number; skipped: number };
    };
    if (stats.flaky > 0) console.log(`  ${stats.flaky} passed only at the second try`);
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
  };
}

type GoEvent = { Action: string; Test?: string; Package?: string; Output?: string };

export const countGo: Counter = (output) => {
  const tests = goEvents(output).filter((event) => event.Test !== undefined);
  const count = (action: string) => tests.filter((event) => event.Action === action).length;
  return { passed: count("pass"), failed: count("fail"), skipped: count("skip") };
};

/** readableGo shows what failing tests and packages printed, not the stream of events. */
function readableGo(output: string): string {
  const events = goEvents(output);
  const failed = new Set(
    events.filter((event) => event.Action === "fail").map((event) => `${event.Package} ${event.Test ?? ""}`),
  );
  const said = events
    .filter((event) => event.Output !== undefined && failed.has(`${event.Package} ${event.Test ?? ""}`))
    .map((event) => event.Output);
  return said.join("") || output.slice(-4_000);
}

function goEvents(output: string): GoEvent[] {
  return output.split("\n").flatMap((line) => {
    if (!line.startsWith("{")) return [];
    try {
      return [JSON.parse(line) as GoEvent];
    } catch {
      return [];
    }
  });
}
