import { type ChildProcess, spawn } from "node:child_process";

type Ended = { code: number; output: string };

/**
 * Background is a program that works while suites run. It pauses and continues by messages on its channel, reports there
 * that it has something to do, and ends when the channel closes: when this process ends, whatever the reason.
 */
export class Background {
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;
  readonly #began = Date.now();
  #hasWorked = false;

  /** The title describes its work. Nothing is printed if it has nothing to do. */
  constructor(title: string, command: string, args: string[], cwd?: string) {
    this.#child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe", "ipc"] });
    let output = "";
    const read = [this.#child.stdout, this.#child.stderr].map(async (stream) => {
      for await (const chunk of stream ?? []) output += String(chunk);
    });
    this.#child.on("message", () => {
      this.#hasWorked = true;
      console.log(`• In the background: ${title}`);
    });
    const exited = new Promise<number>((resolve) => {
      this.#child.once("error", (error) => {
        output += `${command} failed to start: ${error.message}`;
        resolve(127);
      });
      this.#child.once("exit", (code) => resolve(code ?? 1));
    });
    this.ended = exited.then(async (code) => {
      await Promise.all(read);
      if (this.#hasWorked) console.log(`  (${title}: ${code === 0 ? "done" : "failed"} after ${this.#seconds()} s)`);
      return { code, output: output.trimEnd() };
    });
  }

  /** False if everything was done already. */
  get hasWorked(): boolean {
    return this.#hasWorked;
  }

  hold(): void {
    this.#send("hold");
  }

  release(): void {
    this.#send("release");
  }

  #send(word: string): void {
    // It may have ended, and then has nothing to pause.
    if (this.#child.connected) this.#child.send(word, () => {});
  }

  #seconds(): number {
    return Math.round((Date.now() - this.#began) / 1_000);
  }
}
