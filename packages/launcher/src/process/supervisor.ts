import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, fchmodSync, openSync } from "node:fs";
import { lastLines, limitLog } from "./log-file.ts";

export type Program = {
  name: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  logFile: string;
  /** The user to run as; default: the current one. */
  user?: { uid?: number; gid?: number };
  /** Run in its own session, so that the terminal's signals don't reach it. */
  detached?: boolean;
  stopSignal?: NodeJS.Signals;
  /** Time to stop, message while stopping is slow, and signal that forces the end. */
  graceMs?: number;
  whySlow?: string;
  forceSignal?: NodeJS.Signals;
  /** The exit code that means: a restart can't succeed until a user fixes the problem. */
  refusedExit?: number;
};

const firstDelayMs = 1_000;
const maxDelayMs = 30_000;
const steadyAfterMs = 60_000;
const logCheckMs = 30_000;
const defaultGraceMs = 4_000;
/** Logs name members, clusters and addresses. */
const logMode = 0o640;
const slowAfterMs = 2_000;
/** Time between forceSignal and SIGKILL. */
const forcedMs = 3_000;

/** Supervised keeps one program running: it restarts a program that exits, with an increasing delay. */
export class Supervised {
  child: ChildProcess | null = null;
  /** Number of unexpected exits. */
  exits = 0;
  readonly #program: Program;
  readonly #onChange: () => void;
  readonly #logCheck: NodeJS.Timeout;
  #stopping = false;
  #delayMs = firstDelayMs;
  #timer: NodeJS.Timeout | undefined;

  constructor(program: Program, onChange: () => void) {
    this.#program = program;
    this.#onChange = onChange;
    this.#logCheck = setInterval(() => limitLog(program.logFile), logCheckMs).unref();
    this.#start();
  }

  get name(): string {
    return this.#program.name;
  }

  #start(): void {
    const { name, command, args, env, cwd, logFile, user = {}, detached = false } = this.#program;
    limitLog(logFile);
    const log = openSync(logFile, "a", logMode);
    fchmodSync(log, logMode); // one that a former version created
    const began = Date.now();
    const child = spawn(command, args, { ...user, cwd, env, detached, stdio: ["ignore", log, log] });
    closeSync(log);
    this.child = child;
    this.#onChange();
    child.once("error", (error) => console.error(`The ${name} failed to start: ${error.message}`));
    child.once("close", (code, signal) => {
      this.child = null;
      this.#onChange();
      if (!this.#stopping) this.#ended(code, signal, Date.now() - began);
    });
  }

  #ended(code: number | null, signal: NodeJS.Signals | null, livedMs: number): void {
    this.exits++;
    const { name, logFile, refusedExit } = this.#program;
    if (code !== null && code === refusedExit) {
      console.error(
        `! The ${name} stopped and will not be restarted. Fix this and start Fairlead again: ${lastLines(logFile, 1)}`,
      );
      return;
    }
    if (livedMs > steadyAfterMs) this.#delayMs = firstDelayMs;
    console.error(
      `! The ${name} ended (${signal ?? `exit ${code}`}) and restarts in ${this.#delayMs / 1_000} s. Last lines of ${logFile}:\n${indent(lastLines(logFile, 4))}`,
    );
    this.#timer = setTimeout(() => this.#start(), this.#delayMs);
    this.#delayMs = Math.min(this.#delayMs * 2, maxDelayMs);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    clearInterval(this.#logCheck);
    const child = this.child;
    if (!child) return;
    const { stopSignal = "SIGTERM", graceMs = defaultGraceMs, whySlow } = this.#program;
    const ended = new Promise((resolve) => child.once("close", resolve));
    child.kill(stopSignal);
    const explain = setTimeout(() => whySlow && console.log(whySlow), slowAfterMs);
    const timer = setTimeout(() => this.force(), graceMs);
    await ended;
    clearTimeout(explain);
    clearTimeout(timer);
  }

  /** force ends a stopping program at once. */
  force(): void {
    const { child } = this;
    if (!this.#stopping || !child) return;
    child.kill(this.#program.forceSignal ?? "SIGKILL");
    const last = setTimeout(() => child.kill("SIGKILL"), forcedMs);
    child.once("close", () => clearTimeout(last));
  }
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => `    ${line}`)
    .join("\n");
}
