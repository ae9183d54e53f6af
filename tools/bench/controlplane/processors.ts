import { readFileSync } from "node:fs";
import os from "node:os";

const ticksPerSecond = 100;

/** Processors measures how much of a core each process used between two readings. */
export class Processors {
  readonly #pids: Record<string, number>;
  readonly #before: Record<string, number>;
  readonly #busyBefore = busyMs();
  readonly #began = performance.now();

  constructor(pids: Record<string, number>) {
    this.#pids = pids;
    this.#before = this.#read();
  }

  shares(): Record<string, number> {
    const seconds = (performance.now() - this.#began) / 1_000;
    const now = this.#read();
    return Object.fromEntries(
      Object.keys(this.#pids).map((name) => [
        name,
        ((now[name] ?? 0) - (this.#before[name] ?? 0)) / ticksPerSecond / seconds,
      ]),
    );
  }

  /** restShare returns what all other processes of the machine used, in cores. */
  restShare(): number {
    const ms = performance.now() - this.#began;
    const own = Object.values(this.shares()).reduce((sum, share) => sum + share, 0);
    return Math.max(0, (busyMs() - this.#busyBefore) / ms - own);
  }

  #read(): Record<string, number> {
    return Object.fromEntries(Object.entries(this.#pids).map(([name, pid]) => [name, ticks(pid)]));
  }
}

function busyMs(): number {
  return os.cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
}

/**
 * ticks of a process, of its running children and of the children it has waited for; PostgreSQL
 * uses its time in children.
 */
function ticks(pid: number): number {
  try {
    const own = fields(pid);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean);
    return own.user + own.system + own.waited + children.reduce((sum, child) => sum + ticks(Number(child)), 0);
  } catch {
    return 0;
  }
}

function fields(pid: number): { user: number; system: number; waited: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const after = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  return { user: after[11] ?? 0, system: after[12] ?? 0, waited: (after[13] ?? 0) + (after[14] ?? 0) };
}
