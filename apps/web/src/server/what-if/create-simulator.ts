import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { DomainError } from "@fairlead/domain";
import { type SimulatorPlan, simulatorResults } from "@fairlead/domain/exposure";
import type { Simulator } from "@fairlead/services";

/** Plans are so short that they take half a second of CPU at most. On a busy machine, that takes longer. */
const mostMs = 10_000;
const mostRuns = 4;
const mostOutput = 1_000_000;

/** createSimulator runs plans by `fairlead-agent simulate`, in a process that can't take much time or memory. */
export function createSimulator(program: string, timeoutMs = mostMs): Simulator {
  const running = new Set<string>();
  return async (caller, plans) => {
    if (!existsSync(program))
      throw new DomainError(
        "unavailable",
        "Predictions need the program of the agent, which this installation doesn't have. Install Go and restart it; its output has the version.",
      );
    if (running.has(caller))
      throw new DomainError("rate-limited", "Another prediction of yours is running. Try again when it has ended.", {
        retryAfterSeconds: 2,
      });
    if (running.size >= mostRuns)
      throw new DomainError("unavailable", "Too many predictions are running. Try again in a few seconds.", {
        retryAfterSeconds: 5,
      });
    running.add(caller);
    try {
      const { results } = simulatorResults.parse(JSON.parse(await run(program, plans, timeoutMs)));
      return results;
    } finally {
      running.delete(caller);
    }
  };
}

function run(program: string, plans: readonly SimulatorPlan[], timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, ["simulate"], {
      env: { NODE_ENV: "production", GOMAXPROCS: "2", GOMEMLIMIT: "256MiB" }, // Next.js types require the first
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    });
    let output = "";
    let problem = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.length > mostOutput) child.kill("SIGKILL");
    });
    child.stderr.on("data", (chunk: Buffer) => {
      problem = `${problem}${chunk.toString()}`.slice(-2_000);
    });
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) resolve(output);
      else if (signal === "SIGKILL" && output.length <= mostOutput) reject(tookTooLong(timeoutMs));
      else reject(new Error(`The simulator ended with ${code ?? signal}: ${problem.trim()}`));
    });
    // A program that ended early reads no input. Its exit code is the error.
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify({ plans }));
  });
}

function tookTooLong(timeoutMs: number): DomainError {
  return new DomainError(
    "unavailable",
    `The prediction was stopped after ${timeoutMs / 1_000} seconds, because the machine is busy. Try again.`,
  );
}
