export type Company = {
  /** It waits more than it computes, so others may run beside it. */
  waits?: boolean;
  /** It looks at a clock, so nothing else may run meanwhile. */
  keepsTime?: boolean;
};

/**
 * runInCompany runs all in their order, one after the other. Only what mostly waits goes on beside those that follow,
 * up to the next that waits too or keeps time.
 */
export async function runInCompany<T extends Company>(
  all: readonly T[],
  run: (each: T) => Promise<void>,
): Promise<void> {
  let waiting = Promise.resolve();
  for (const each of all) {
    if (each.waits || each.keepsTime) await waiting;
    const running = run(each);
    if (!each.waits) await running;
    else waiting = running;
    waiting.catch(() => {}); // whoever waits for it hears of it
  }
  await waiting;
}
