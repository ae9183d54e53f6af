import { KubernetesError } from "./error.ts";

const mostTries = 6;
const mostWaitMs = 10_000;

/** patiently asks again what an apiserver is too busy for, when it says so. */
export async function patiently<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      const waitMs = error instanceof KubernetesError && error.status === 429 ? (error.retryAfterMs ?? 1_000) : null;
      if (waitMs === null || tries === mostTries) throw error;
      await sleep(Math.min(mostWaitMs, waitMs) * (1 + 0.25 * Math.random()), signal);
    }
  }
}

const atOnce = 16;

/** each does the same with many, some at once, and stops taking up more when it is told to. */
export async function each<T>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const workers = Array.from({ length: Math.min(atOnce, items.length) }, async () => {
    for (const item of queue) {
      signal.throwIfAborted();
      await work(item);
    }
  });
  await Promise.all(workers);
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
  });
}
