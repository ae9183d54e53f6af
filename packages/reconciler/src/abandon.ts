/** Abandoned means that work continued after its signal aborted. */
export class Abandoned extends Error {
  constructor() {
    super("the work did not stop after its signal aborted");
    this.name = "Abandoned";
  }
}

/** unlessAbandoned waits for work, but no longer than graceMs once the signal has aborted. */
export async function unlessAbandoned<T>(work: Promise<T>, signal: AbortSignal, graceMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const { promise: abandoned, reject } = Promise.withResolvers<never>();
  const giveUp = () => {
    timer = setTimeout(() => reject(new Abandoned()), graceMs);
  };
  if (signal.aborted) giveUp();
  else signal.addEventListener("abort", giveUp, { once: true });
  try {
    return await Promise.race([work, abandoned]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  }
}
