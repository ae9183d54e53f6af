import { setTimeout as sleep } from "node:timers/promises";

/** until waits for what is promised to be true soon, and says what did not come. What throws is not true yet. */
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
    if (Date.now() > deadline) throw new Error(`${what} did not come within ${withinMs / 1_000} s`, { cause: last });
    await sleep(50);
  }
}
