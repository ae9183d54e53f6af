export type Summary = { n: number; median: number; low: number; high: number; p99: number; max: number };

/** summarize describes a sample. low and high are the 95 % confidence interval of the median, by order statistics: no distribution is assumed. */
export function summarize(values: readonly number[]): Summary {
  if (values.length === 0) throw new Error("nothing to summarize");
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = medianBounds(sorted.length);
  const at = (index: number) => sorted[Math.min(sorted.length - 1, Math.max(0, index))] ?? Number.NaN;
  return {
    n: sorted.length,
    median: quantile(sorted, 0.5),
    low: at(low),
    high: at(high),
    p99: quantile(sorted, 0.99),
    max: at(sorted.length - 1),
  };
}

/** quantile of sorted values, interpolated between neighbours. */
export function quantile(sorted: readonly number[], q: number): number {
  const position = (sorted.length - 1) * q;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? below;
  return below + (above - below) * (position - Math.floor(position));
}

/** medianBounds returns the indexes of the 95 % confidence interval of the median (sign test). */
function medianBounds(n: number): [number, number] {
  if (n > 300) {
    const half = 0.98 * Math.sqrt(n); // 1.96 · √n / 2
    return [Math.floor(n / 2 - half), Math.ceil(n / 2 + half)];
  }
  let tail = 0.5 ** n;
  let term = tail;
  let rank = 0;
  while (rank < n / 2 - 1) {
    term = (term * (n - rank)) / (rank + 1);
    if (tail + term > 0.025) break;
    tail += term;
    rank++;
  }
  return [rank, n - 1 - rank];
}
