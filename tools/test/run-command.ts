import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "./suite.ts";

export type Ran = { code: number; output: string; wallMs: number; cpuMs: number; problem?: string };

type Bounds = { signal: AbortSignal; limitMs: number; log: string; root: string };

/** Time for programs to stop their child processes after the stop signal. */
const graceMs = 20_000;

/** Time for the rest of the output after the end of the program. */
const outputMs = 5_000;

/**
 * Runs the command and writes its processor time, and that of its descendants, to descriptor 3. The trap keeps the shell alive
 * until the command has ended.
 */
const timed = 'trap : INT TERM; "$@"; code=$?; times >&3; exit $code';

/**
 * runCommand runs a program in its own process group, keeps its output, also in a log file, and ends the whole group after
 * the time limit or when the signal aborts.
 */
export async function runCommand(command: Command, { signal, limitMs, log, root }: Bounds): Promise<Ran> {
  signal.throwIfAborted();
  const began = performance.now();
  // Programs of packages start with "node": the pinned one, not the machine's.
  const programs = `${path.join(root, "node_modules/.bin")}${path.delimiter}${process.env.PATH ?? ""}`;
  const child = spawn("sh", ["-c", timed, "sh", command.program, ...command.args], {
    cwd: path.join(root, command.cwd ?? "."),
    env: { ...process.env, NO_COLOR: "1", ...command.env, PATH: programs },
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const file = createWriteStream(log);
  let output = "";
  let times = "";
  const [, stdout, stderr, clock] = child.stdio;
  for (const stream of [stdout, stderr])
    stream?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      file.write(chunk);
    });
  clock?.on("data", (chunk: Buffer) => {
    times += chunk.toString();
  });

  let problem: string | undefined;
  const stop = (why: string) => {
    problem ??= why;
    // Like Ctrl+C: on SIGTERM, Playwright dies at once and leaves the product running.
    sendToGroup(child.pid, "SIGINT");
    setTimeout(() => sendToGroup(child.pid, "SIGKILL"), graceMs).unref();
  };
  const limit = setTimeout(() => stop(`it was stopped after ${limitMs / 60_000} minutes`), limitMs);
  const interrupt = () => stop("the run was interrupted");
  signal.addEventListener("abort", interrupt, { once: true });
  try {
    const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
    const code = await new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code) => resolve(code ?? 1));
    });
    await endGroup(child.pid);
    // A process that left the group may keep the output open.
    await Promise.race([closed, sleep(outputMs, undefined, { ref: false })]);
    child.stdout?.destroy();
    child.stderr?.destroy();
    await new Promise<void>((resolve) => file.end(() => resolve()));
    return {
      code,
      output,
      wallMs: performance.now() - began,
      cpuMs: readTimes(times),
      ...(problem ? { problem } : {}),
    };
  } finally {
    clearTimeout(limit);
    signal.removeEventListener("abort", interrupt);
    file.destroy();
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

/** readTimes adds up what the shell's `times` prints: user and system time of itself and of its children, as 1m2.345s. */
export function readTimes(printed: string): number {
  const spans = [...printed.matchAll(/(\d+)m([\d.]+)s/g)];
  return Math.round(
    spans.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1_000, 0),
  );
}

/** endGroup ends what the command left running. */
async function endGroup(pid: number | undefined): Promise<void> {
  const deadline = Date.now() + graceMs;
  while (sendToGroup(pid, "SIGTERM") && Date.now() < deadline) await sleep(100);
  sendToGroup(pid, "SIGKILL");
}

/** sendToGroup returns whether anything in the group was still there. */
function sendToGroup(pid: number | undefined, signal: NodeJS.Signals): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}
