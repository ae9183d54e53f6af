/** How many rows one statement of a sweep changes at most, so that it blocks no other query for long. */
export const batchSize = 10_000;
const mostBatches = 50;

/**
 * inBatches repeats a bounded statement while it reaches its limit, so that a sweep keeps up with its table's growth,
 * and returns how many rows it changed. After many batches the rest is left to the next sweep.
 */
export async function inBatches(statement: (most: number) => Promise<number>): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < mostBatches; batch++) {
    const count = await statement(batchSize);
    total += count;
    if (count < batchSize) break;
  }
  return total;
}
