import { type ChildProcess, spawn } from "node:child_process";
import { root } from "../settings.ts";

type Ended = { code: number; output: string };

/**
 * Background is a program that works while suites run. It is told by its channel to hold still and to go on, writes
 * there that it has something to do, and ends when the channel does: when we end, however that comes.
 */
export class Background {
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;
  readonly #began = Date.now();
  #isBusy = false;

  /** The title says what is being done. Nothing is said of a program that has nothing to do. */
  constructor(title: string, command: string, args: string[]) {
    this.#child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe", "ipc"] });
    let output = "";
    const read = [this.#child.stdout, this.#child.stderr].map(async (stream) => {
      for await (const chunk of stream ?? []) output += String(chunk);
    });
    this.#child.on("message", () => {
      this.#isBusy = true;
      console.log(`• In the background: ${title}`);
    });
    const exited = new Promise<number>((resolve) => {
      this.#child.once("error", (error) => {
        output += `${command} could not be started: ${error.message}`;
        resolve(127);
      });
      this.#child.once("exit", (code) => resolve(code ?? 1));
    });
    this.ended = exited.then(async (code) => {
      await Promise.all(read);
      if (this.#isBusy) console.log(`  (${title}: ${code === 0 ? "done" : "failed"} after ${this.#seconds()} s)`);
      this.#isBusy = false;
      return { code, output: output.trimEnd() };
    });
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  hold(): void {
    this.#tell("hold");
  }

  release(): void {
    this.#tell("release");
  }

  #tell(word: string): void {
    // It may end at any time, and then has nothing more to hold.
    if (this.#child.connected) this.#child.send(word, () => {});
  }

  #seconds(): number {
    return Math.round((Date.now() - this.#began) / 1_000);
  }
}
