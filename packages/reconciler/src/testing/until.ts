import { setTimeout as sleep } from "node:timers/promises";
/** until waits for a condition, and reports the last value it saw when time is up. */
export async function until(
  what: string,
  holds: () => Promise<boolean> | boolean,
  options: { withinMs?: number; seen?: () => Promise<unknown> } = {},
): Promise<void> {
  const { withinMs = 60_000, seen } = options;
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline) {
    if (await holds()) return;
    await sleep(25);
  }
  throw new Error(`waited ${withinMs} ms in vain until ${what}; saw ${JSON.stringify(await seen?.())}`);
}
