import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";

/** Time for the compilers to clean up after the stop signal. */
const graceMs = 5_000;
const lastWords = 4_000;

/** Go builds one program at a time, and can be paused. */
export class Go {
  /** Whether to run at idle priority. */
  isIdle = false;
  #pid: number | null = null;
  #isHeld = false;

  /** hold pauses the compilers. */
  hold(): void {
    this.#isHeld = true;
    this.#send("SIGSTOP");
  }

  release(): void {
    this.#isHeld = false;
    this.#send("SIGCONT");
  }

  /** run runs one go command and throws its output on failure. Its temporary files are in the folder `scraps`. */
  async run(args: string[], cwd: string, scraps: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    // Fixed settings: the cache's name doesn't include the user's own.
    const env = { ...process.env, CGO_ENABLED: "0", GOFLAGS: "", GOWORK: "off", GOTMPDIR: scraps };
    // In its own process group, because its compilers need the stop signal too.
    const child = spawn("go", args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    this.#pid = child.pid ?? null;
    if (this.#isHeld) this.hold();
    if (this.isIdle && child.pid) yieldAsGroup(child.pid);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output = `${output}${chunk.toString()}`.slice(-lastWords);
      });
    const end = () => {
      this.#send("SIGCONT");
      this.#send("SIGINT");
      setTimeout(() => this.#send("SIGKILL"), graceMs).unref();
    };
    signal.addEventListener("abort", end, { once: true });
    try {
      const ended = await new Promise<number | NodeJS.ErrnoException>((resolve) => {
        child.once("error", resolve);
        child.once("close", (code) => resolve(code ?? 1));
      });
      signal.throwIfAborted();
      if (typeof ended !== "number") throw new Error(`Go failed to start (${ended.code}): install Go 1.26 or newer`);
      if (ended !== 0) throw new Error(`Go's output:\n${output.trim()}`);
    } finally {
      signal.removeEventListener("abort", end);
      this.#pid = null;
    }
  }

  #send(signal: NodeJS.Signals): void {
    if (this.#pid === null) return;
    try {
      process.kill(-this.#pid, signal);
    } catch {
      // It ended by itself.
    }
  }
}

/** yieldAsGroup lowers the priority of a Linux session: with autogroup, nice values count only within a session. */
function yieldAsGroup(leader: number): void {
  try {
    writeFileSync(`/proc/${leader}/autogroup`, "19");
  } catch {
    // This kernel doesn't group by session.
  }
}
