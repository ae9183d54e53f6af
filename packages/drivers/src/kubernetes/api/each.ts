import { mostAtOnce } from "./turns.ts";

/**
 * each runs work for many items, some at a time, and starts no more after an abort or a failure. It ends when all started work has
 * ended, so that nothing interferes with the next attempt.
 */
export async function each<T>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  let hasFailed = false;
  const workers = Array.from({ length: Math.min(mostAtOnce, items.length) }, async () => {
    for (const item of queue) {
      if (hasFailed) return;
      try {
        signal.throwIfAborted();
        await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  });
  const failure = (await Promise.allSettled(workers)).find((each) => each.status === "rejected");
  if (failure) throw failure.reason;
}
