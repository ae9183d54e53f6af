/** inTurn runs work for every item, a few at a time, and continues after failures. */
export async function inTurn<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<{ failed: number; firstError: unknown }> {
  const waiting = [...items];
  let failed = 0;
  let firstError: unknown;
  async function worker(): Promise<void> {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      try {
        await work(item);
      } catch (error) {
        failed++;
        firstError ??= error;
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return { failed, firstError };
}
