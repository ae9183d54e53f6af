/** How many rows one statement of a sweep touches at most: short enough to be in nobody's way. */
export const batchSize = 10_000;
const mostBatches = 50;

/**
 * inBatches repeats a bounded statement while it finds as much as it may touch, so that a sweep keeps up with
 * whatever fills its table, and answers how many rows it touched. What is left after many is for the next sweep.
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
