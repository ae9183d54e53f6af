import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import os from "node:os";
import { DomainError } from "@fairlead/domain";
import { type SimulatorPlan, simulatorResults } from "@fairlead/domain/exposure";
import type { Simulator, SimulatorCaller } from "@fairlead/services";

/** Plans are so short that they take half a second of CPU at most. On a busy machine, that takes longer. */
const mostMs = 10_000;
const mostRuns = 4;
/** So that one organization leaves runs for others. */
const mostOfOrganization = 2;
const mostOutput = 1_000_000;

export type SimulatorProgram = {
  file: string;
  /** What to do if there is no such file. */
  cure: string;
  timeoutMs?: number;
};

/** createSimulator runs plans by `fairlead-agent simulate`, in a process of low priority that can't take much time or memory. */
export function createSimulator({ file, cure, timeoutMs = mostMs }: SimulatorProgram): Simulator {
  const running = new Map<string, SimulatorCaller>();
  return async (caller, plans) => {
    if (!existsSync(file))
      throw new DomainError(
        "unavailable",
        `Predictions need the agent's program, which this installation lacks. ${cure}`,
      );
    if (running.has(caller.id))
      throw new DomainError("rate-limited", "Another prediction of yours is running. Try again when it has ended.", {
        retryAfterSeconds: 2,
      });
    if (running.size >= mostRuns)
      throw new DomainError("unavailable", "Too many predictions are running. Try again in a few seconds.", {
        retryAfterSeconds: 5,
      });
    const ofOrganization = [...running.values()].filter((each) => each.organizationId === caller.organizationId);
    if (ofOrganization.length >= mostOfOrganization)
      throw new DomainError(
        "rate-limited",
        `${mostOfOrganization} predictions of this organization are running. Try again when one has ended.`,
        { retryAfterSeconds: 2 },
      );
    running.set(caller.id, caller);
    try {
      const { results } = simulatorResults.parse(JSON.parse(await run(file, plans, timeoutMs)));
      return results;
    } finally {
      running.delete(caller.id);
    }
  };
}

function run(program: string, plans: readonly SimulatorPlan[], timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, ["simulate"], {
      // Next.js types require the first. The program itself limits its memory; here, its garbage collector works harder before that.
      env: { NODE_ENV: "production", GOMAXPROCS: "2", GOMEMLIMIT: "256MiB" },
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    });
    child.once("spawn", () => yieldTo(child.pid));
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

/** yieldTo lets all other processes run first. A process that has ended needs no priority. */
function yieldTo(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    os.setPriority(pid, os.constants.priority.PRIORITY_LOW);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes("ESRCH")) throw error;
  }
}

function tookTooLong(timeoutMs: number): DomainError {
  return new DomainError(
    "unavailable",
    `The prediction was stopped after ${timeoutMs / 1_000} seconds, because the machine is busy. Try again.`,
  );
}
