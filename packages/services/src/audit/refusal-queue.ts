/** How often something was refused, and when first and last. */
export type Occurrences = { count: number; first: Date; last: Date };

/** A refusal that is counted in the background. */
export type QueuedRefusal = {
  /** Refusals with the same key in the same minute are written together. */
  key: string;
  write: (occurrences: Occurrences) => Promise<void>;
  onFault?: ((error: unknown) => void) | undefined;
};

type Waiting = Occurrences & Omit<QueuedRefusal, "key">;

const minuteMs = 60_000;

/** minuteOf returns the number of the minute in which refusals are counted together. */
export function minuteOf(at: Date): number {
  return Math.floor(at.getTime() / minuteMs);
}

/**
 * RefusalQueue counts refusals after their answer, one write at a time. A flood costs one connection and bounded memory, and a
 * database that can't write does not change the answer.
 */
export class RefusalQueue {
  #waiting = new Map<string, Waiting>();
  #work: Promise<void> | undefined;
  #most: number;

  constructor(most = 1_000) {
    this.#most = most;
  }

  /** add drops a refusal if too many different ones are waiting: only the metrics count it then. */
  add({ key, write, onFault }: QueuedRefusal, now: Date): void {
    const minuteKey = `${minuteOf(now)} ${key}`;
    const known = this.#waiting.get(minuteKey);
    if (known) {
      known.count += 1;
      known.last = now;
      return;
    }
    if (this.#waiting.size >= this.#most) return;
    this.#waiting.set(minuteKey, { write, onFault, count: 1, first: now, last: now });
    this.#work ??= this.#writeAll();
  }

  /** settled resolves once nothing waits. */
  async settled(): Promise<void> {
    await this.#work;
  }

  async #writeAll(): Promise<void> {
    // The iteration includes what is added while it runs.
    for (const [key, { write, onFault, ...occurrences }] of this.#waiting) {
      this.#waiting.delete(key);
      try {
        await write(occurrences);
      } catch (error) {
        onFault?.(error);
      }
    }
    this.#work = undefined;
  }
}

/** Apart, so that anonymous clients can't displace the refusals of keys. */
export const keyRefusals = new RefusalQueue();
export const signInRefusals = new RefusalQueue();

/** settleRefusals waits until all refusals of this process are counted. */
export async function settleRefusals(): Promise<void> {
  await Promise.all([keyRefusals.settled(), signInRefusals.settled()]);
}
