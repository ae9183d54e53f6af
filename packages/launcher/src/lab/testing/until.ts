import { setTimeout as sleep } from "node:timers/promises";

const everyMs = 100;

/** until waits for a condition, and throws if it doesn't hold in time. */
export async function until(what: string, withinMs: number, holds: () => Promise<boolean> | boolean): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not within ${withinMs / 1_000} s: ${what}`);
    await sleep(everyMs);
  }
}
