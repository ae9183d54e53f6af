const firstMs = 500;
const mostMs = 5 * 60_000;

/** backoffMs is how long to leave a failing object alone: up to twice as long each time, bounded, and at random so that many don't come back together. */
export function backoffMs(attempts: number, random: () => number): number {
  const ceiling = Math.min(mostMs, firstMs * 2 ** Math.min(Math.max(attempts, 1) - 1, 30));
  return Math.round(ceiling * random());
}
