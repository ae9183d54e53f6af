const firstMs = 500;
const mostMs = 5 * 60_000;

/**
 * backoffMs is the delay before a failing object is retried: up to twice as long each time, bounded, and random so that
 * many aren't retried together.
 */
export function backoffMs(attempts: number, random: () => number): number {
  const ceiling = Math.min(mostMs, firstMs * 2 ** Math.min(Math.max(attempts, 1) - 1, 30));
  return Math.round(ceiling * random());
}
