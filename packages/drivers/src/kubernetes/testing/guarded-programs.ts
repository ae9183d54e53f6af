import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { until } from "./until.ts";

const stoppedWithinMs = 10_000;

/**
 * GuardedPrograms run in one temporary folder, and neither they nor the folder outlive this process: a small shell waits
 * until the kernel closes its input, even if this process is killed, then ends them and removes the folder.
 */
export class GuardedPrograms {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-kubernetes-"));
  readonly #running = new Map<string, ChildProcess>();
  readonly #guard: ChildProcess;
  #closed: Promise<void> | null = null;

  constructor() {
    const script = path.join(import.meta.dirname, "guard.sh");
    // Guard and programs have their own sessions: Ctrl-C ends this process, which may need them until then.
    this.#guard = spawn("sh", [script, this.folder], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
    this.#guard.stdin?.on("error", () => {}); // the guard has already ended
    this.#guard.unref();
    unref(this.#guard);
  }

  start(name: string, command: string, args: string[], env: Record<string, string> = {}): void {
    // Otherwise the earlier one would be lost, and outlive this process.
    if (this.#running.has(name)) throw new Error(`${name} runs already`);
    const log = openSync(this.#logOf(name), "a");
    const child = spawn(command, args, {
      ...{ cwd: this.folder, detached: true, stdio: ["ignore", log, log] },
      env: { ...process.env, ...env },
    });
    closeSync(log);
    child.unref();
    this.#running.set(name, child);
    this.#sendPids();
    const drop = () => {
      if (this.#running.get(name) !== child) return;
      this.#running.delete(name);
      this.#sendPids();
    };
    child.once("exit", drop);
    child.once("error", drop);
  }

  isRunning(name: string): boolean {
    return this.#running.has(name);
  }

  pid(name: string): number | null {
    return this.#running.get(name)?.pid ?? null;
  }

  /** lastWords returns the last lines of a program's log, which explain why it ended. */
  lastWords(name: string): string {
    return readFileSync(this.#logOf(name), "utf8").trimEnd().split("\n").slice(-8).join("\n");
  }

  signal(name: string, signal: NodeJS.Signals): void {
    if (!this.#running.get(name)?.kill(signal)) throw new Error(`${name} does not run`);
  }

  /** freeze stops a program, and waits for its last thread: on a busy machine, one may run on for milliseconds. */
  async freeze(name: string): Promise<void> {
    this.signal(name, "SIGSTOP");
    await until(`${name} stops`, async () => this.#states(name).every((state) => state === "T"), stoppedWithinMs);
  }

  /** kill ends a program immediately, and waits until it is gone. */
  async kill(name: string): Promise<void> {
    const child = this.#running.get(name);
    if (!child) return;
    const gone = ended(child);
    child.kill("SIGKILL");
    await gone;
  }

  /** close ends everything, as the end of this process would. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const gone = [...this.#running.values(), this.#guard].map(ended);
    this.#guard.stdin?.end();
    await Promise.all(gone);
  }

  #sendPids(): void {
    if (this.#closed) return;
    const pids = [...this.#running.values()].flatMap(({ pid }) => pid ?? []);
    this.#guard.stdin?.write(`${pids.join(" ")}\n`);
  }

  /** #states returns a letter for each thread of a program: T is stopped. */
  #states(name: string): string[] {
    const folder = `/proc/${this.pid(name)}/task`;
    // The name of a program, in parentheses before its state, may contain spaces and parentheses.
    return readdirSync(folder).map((thread) => {
      const stat = readFileSync(path.join(folder, thread, "stat"), "utf8");
      return stat.charAt(stat.lastIndexOf(")") + 2);
    });
  }

  #logOf(name: string): string {
    return path.join(this.folder, `${name}.log`);
  }
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  child.ref();
  return new Promise((resolve) => child.once("exit", () => resolve()));
}

/** The guard must not keep a test running that doesn't call close. */
function unref(child: ChildProcess): void {
  const { stdin } = child;
  if (stdin && "unref" in stdin && typeof stdin.unref === "function") stdin.unref();
}
