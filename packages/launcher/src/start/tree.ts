import { identify } from "../process/process-identity.ts";
import { type Program, Supervised } from "../process/supervisor.ts";
import { Refusal } from "../refusal.ts";
import type { Instance } from "./instance.ts";

/** Tree holds all started programs. The database stops last, after the programs that write to it. */
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
    if (this.signal.aborted) throw new Refusal("Stopped during startup.");
    const supervised = new Supervised(program, () => this.#record());
    this.#programs.push(supervised);
    this.#record(); // the constructor reported its start before it was in the list
    return supervised;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  /** force kills programs that don't stop. */
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

  /** Records the running programs at every change, so that the next start can clean up after a crash. */
  #record(): void {
    if (this.#stopped) return;
    const children = this.#programs.flatMap(({ name, child }) => {
      const process = child?.pid ? identify(child.pid) : null;
      return process ? [{ name, process }] : [];
    });
    this.instance.update({ children });
  }
}
