import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from "node:fs";

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
};

const firstDelayMs = 1_000;
const longestDelayMs = 30_000;
const steadyAfterMs = 60_000;
const largestLogBytes = 20 * 1024 * 1024;

/** Supervised keeps one program running: what ends by itself is started again, ever more slowly while it keeps ending. */
export class Supervised {
  child: ChildProcess | null = null;
  readonly #program: Program;
  readonly #onChange: () => void;
  #stopping = false;
  #delayMs = firstDelayMs;
  #timer: NodeJS.Timeout | undefined;

  constructor(program: Program, onChange: () => void) {
    this.#program = program;
    this.#onChange = onChange;
    this.#start();
  }

  get name(): string {
    return this.#program.name;
  }

  #start(): void {
    const { name, command, args, env, cwd, logFile, user = {}, detached = false } = this.#program;
    rotate(logFile);
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
      if (this.#stopping) return;
      if (Date.now() - began > steadyAfterMs) this.#delayMs = firstDelayMs;
      console.error(
        `! The ${name} ended (${signal ?? `exit ${code}`}) and is started again in ${this.#delayMs / 1_000} s; its last words, from ${logFile}:\n${indent(lastLines(logFile, 4))}`,
      );
      this.#timer = setTimeout(() => this.#start(), this.#delayMs);
      this.#delayMs = Math.min(this.#delayMs * 2, longestDelayMs);
    });
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    const child = this.child;
    if (!child) return;
    const ended = new Promise((resolve) => child.once("close", resolve));
    child.kill(this.#program.stopSignal ?? "SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
    await ended;
    clearTimeout(timer);
  }
}

function rotate(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > largestLogBytes) renameSync(file, `${file}.1`);
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => `    ${line}`)
    .join("\n");
}

export function lastLines(file: string, count: number): string {
  return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n").slice(-count).join("\n") : "";
}
