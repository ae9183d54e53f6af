import { spawn } from "node:child_process";

/** How long the compilers have to put things away after they were told to stop. */
const graceMs = 5_000;
const lastWords = 4_000;

/** Go builds one program at a time, and can be told to hold still meanwhile. */
export class Go {
  #pid: number | null = null;
  #isHeld = false;

  /** hold stops the compilers where they are. */
  hold(): void {
    this.#isHeld = true;
    this.#send("SIGSTOP");
  }

  release(): void {
    this.#isHeld = false;
    this.#send("SIGCONT");
  }

  /** run answers when Go has done what it was asked, and throws what it said where it could not. Its scraps go to a folder. */
  async run(args: string[], cwd: string, scraps: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    // By themselves: what a Go of another setting would do is not what the cache's name says.
    const env = { ...process.env, CGO_ENABLED: "0", GOFLAGS: "", GOWORK: "off", GOTMPDIR: scraps };
    // In a group of its own, because it runs compilers that end with it only if they are told to as well.
    const child = spawn("go", args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    this.#pid = child.pid ?? null;
    if (this.#isHeld) this.hold();
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        said = `${said}${chunk.toString()}`.slice(-lastWords);
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
      if (typeof ended !== "number") throw new Error(`Go can't be run (${ended.code}): install Go 1.26 or newer`);
      if (ended !== 0) throw new Error(`Go said:\n${said.trim()}`);
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
