import { mostAtOnce } from "./turns.ts";

/**
 * each does the same with many, some at once, and takes up no more when it is told to stop, or when one fails. It ends when
 * all that was begun has ended: what went on behind it would meet the next attempt.
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
