import type { Instance } from "./instance.ts";
import { identify } from "./process-identity.ts";
import { Refusal } from "./refusal.ts";
import { type Program, Supervised } from "./supervisor.ts";

/** Tree is every program we started. The database, which came first, goes last: who writes stops before what is written to. */
export class Tree {
  readonly instance: Instance;
  readonly #programs: Supervised[] = [];
  readonly #abort = new AbortController();
  #stopped: Promise<void> | null = null;
  #isForced = false;

  constructor(instance: Instance) {
    this.instance = instance;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  run(program: Program): Supervised {
    if (this.signal.aborted) throw new Refusal("Stopped while starting.");
    const supervised = new Supervised(program, () => this.#record());
    this.#programs.push(supervised);
    this.#record(); // it told of its start before it was among ours
    return supervised;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  /** force ends what does not stop by itself. */
  force(): void {
    this.#isForced = true;
    for (const program of this.#programs) program.force();
  }

  async #stopAll(): Promise<void> {
    this.#abort.abort();
    const database = this.#programs.filter((program) => program.name === "database");
    const others = this.#programs.filter((program) => program.name !== "database");
    for (const group of [others, database]) await Promise.all(group.map((program) => this.#end(program)));
    this.instance.release();
  }

  #end(program: Supervised): Promise<void> {
    const stopped = program.stop();
    if (this.#isForced) program.force();
    return stopped;
  }

  /** What runs is written down at every change, so that a start after our crash can clear it up. */
  #record(): void {
    if (this.#stopped) return;
    const children = this.#programs.flatMap(({ name, child }) => {
      const process = child?.pid ? identify(child.pid) : null;
      return process ? [{ name, process }] : [];
    });
    this.instance.update({ children });
  }
}
