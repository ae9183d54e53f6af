import { setTimeout as sleep } from "node:timers/promises";

/** until waits for a condition, and throws with its name if it isn't met in time. A condition that throws isn't met yet. */
export async function until(what: string, holds: () => Promise<unknown>, withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs;
  let last: unknown = null;
  for (;;) {
    try {
      if (await holds()) return;
      last = null;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) throw new Error(`${what}: not within ${withinMs / 1_000} s`, { cause: last });
    await sleep(50);
  }
}
