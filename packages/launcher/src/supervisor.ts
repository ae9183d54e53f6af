import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { boundLog, lastLines } from "./log-file.ts";

export type Program = {
  name: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  logFile: string;
  /** Whom to run as; ourselves when absent. */
  user?: { uid?: number; gid?: number };
  /** In a session of its own, out of reach of the terminal's signals. */
  detached?: boolean;
  stopSignal?: NodeJS.Signals;
  /** How long it may take to stop, what to say while it does, and what ends it all the same. */
  graceMs?: number;
  whySlow?: string;
  forceSignal?: NodeJS.Signals;
  /** The exit code by which it says that starting it again is no use before somebody has changed something. */
  refusedExit?: number;
};

const firstDelayMs = 1_000;
const longestDelayMs = 30_000;
const steadyAfterMs = 60_000;
const logCheckMs = 30_000;
const usualGraceMs = 4_000;
const slowAfterMs = 2_000;
/** How long a gentler way of being forced may take. */
const forcedMs = 3_000;

/** Supervised keeps one program running: what ends by itself is started again, ever more slowly while it keeps ending. */
export class Supervised {
  child: ChildProcess | null = null;
  /** How often it has ended by itself. */
  endings = 0;
  readonly #program: Program;
  readonly #onChange: () => void;
  readonly #logCheck: NodeJS.Timeout;
  #stopping = false;
  #delayMs = firstDelayMs;
  #timer: NodeJS.Timeout | undefined;

  constructor(program: Program, onChange: () => void) {
    this.#program = program;
    this.#onChange = onChange;
    this.#logCheck = setInterval(() => boundLog(program.logFile), logCheckMs).unref();
    this.#start();
  }

  get name(): string {
    return this.#program.name;
  }

  #start(): void {
    const { name, command, args, env, cwd, logFile, user = {}, detached = false } = this.#program;
    boundLog(logFile);
    const log = openSync(logFile, "a");
    const began = Date.now();
    const child = spawn(command, args, { ...user, cwd, env, detached, stdio: ["ignore", log, log] });
    closeSync(log);
    this.child = child;
    this.#onChange();
    child.once("error", (error) => console.error(`The ${name} could not be started: ${error.message}`));
    child.once("close", (code, signal) => {
      this.child = null;
      this.#onChange();
      if (!this.#stopping) this.#ended(code, signal, Date.now() - began);
    });
  }

  #ended(code: number | null, signal: NodeJS.Signals | null, livedMs: number): void {
    this.endings++;
    const { name, logFile, refusedExit } = this.#program;
    if (code !== null && code === refusedExit) {
      console.error(`! The ${name} rests until the next start, after this is cured: ${lastLines(logFile, 1)}`);
      return;
    }
    if (livedMs > steadyAfterMs) this.#delayMs = firstDelayMs;
    console.error(
      `! The ${name} ended (${signal ?? `exit ${code}`}) and is started again in ${this.#delayMs / 1_000} s; its last words, from ${logFile}:\n${indent(lastLines(logFile, 4))}`,
    );
    this.#timer = setTimeout(() => this.#start(), this.#delayMs);
    this.#delayMs = Math.min(this.#delayMs * 2, longestDelayMs);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    clearInterval(this.#logCheck);
    const child = this.child;
    if (!child) return;
    const { stopSignal = "SIGTERM", graceMs = usualGraceMs, whySlow } = this.#program;
    const ended = new Promise((resolve) => child.once("close", resolve));
    child.kill(stopSignal);
    const explain = setTimeout(() => whySlow && console.log(whySlow), slowAfterMs);
    const timer = setTimeout(() => this.force(), graceMs);
    await ended;
    clearTimeout(explain);
    clearTimeout(timer);
  }

  /** force ends a program that is stopping, whatever it still meant to do. */
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
