/**
 * The bounds of the buckets of delays, in ms: six per decade from 0.1 ms to 100 s, so that quantiles are accurate to about a
 * quarter. They can't be changed, because counts of past hours are stored by these buckets.
 */
export const delayBoundsMs: readonly number[] = [-1, 0, 1, 2, 3, 4]
  .flatMap((power) => [1, 1.5, 2, 3, 5, 7].map((lead) => Number((lead * 10 ** power).toPrecision(2))))
  .concat(100_000);

/** delayQuantile estimates a quantile from the buckets, assuming a uniform distribution in each; the result is at most maxMs. */
export function delayQuantile(buckets: readonly number[], q: number, maxMs: number): number {
  const wanted = q * buckets.reduce((sum, each) => sum + each, 0);
  let below = 0;
  for (const [bucket, count] of buckets.entries()) {
    if (count === 0 || below + count < wanted) {
      below += count;
      continue;
    }
    const from = delayBoundsMs[bucket - 1] ?? 0;
    const to = Math.min(delayBoundsMs[bucket] ?? maxMs, maxMs);
    return from + Math.max(0, to - from) * ((wanted - below) / count);
  }
  return maxMs;
}
