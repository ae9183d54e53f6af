import { mostAtOnce } from "./turns.ts";

/** each does the same with many, some at once, and stops taking up more when it is told to, or when one fails. */
export async function each<T>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const workers = Array.from({ length: Math.min(mostAtOnce, items.length) }, async () => {
    for (const item of queue) {
      signal.throwIfAborted();
      await work(item);
    }
  });
  await Promise.all(workers);
}
