/**
 * Where one bucket of delays ends and the next begins, in ms: six to a decade from 0.1 ms to 100 s, so that a figure
 * read off them is right to a quarter or so. Counts of past hours are stored by them: they can't be changed.
 */
export const delayBoundsMs: readonly number[] = [-1, 0, 1, 2, 3, 4]
  .flatMap((power) => [1, 1.5, 2, 3, 5, 7].map((lead) => Number((lead * 10 ** power).toPrecision(2))))
  .concat(100_000);

/** delayQuantile reads a quantile off the buckets, as if delays were spread evenly over each; none is longer than the longest. */
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
