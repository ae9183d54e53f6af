import type { FeedEntry } from "@fairlead/domain/event";

/** A change, with the first transaction that made it. */
export type Change = FeedEntry & { transaction: bigint };

/** Changes of one organisation in the order of their transactions, and the cursor that covers them and all before them. */
export type Batch = { entries: Change[]; settledBefore: bigint };

export type Delivery = { kind: "batch"; batch: Batch } | { kind: "overflow" } | { kind: "idle" } | { kind: "closed" };

const maxWaiting = 2_000;

/** Subscriber buffers what one stream has not yet taken. A stream that is too slow gets a reset: memory is bounded. */
export class Subscriber {
  readonly organizationId: string;
  readonly actorId: string;
  #batches: Batch[] = [];
  #waiting = 0;
  #overflow = false;
  #closed = false;
  #wake: (() => void) | undefined;

  constructor(organizationId: string, actorId: string) {
    this.organizationId = organizationId;
    this.actorId = actorId;
  }

  push(batch: Batch): void {
    if (this.#overflow) return;
    this.#waiting += batch.entries.length;
    if (this.#waiting > maxWaiting) {
      this.overflow();
      return;
    }
    this.#batches.push(batch);
    this.#wake?.();
  }

  overflow(): void {
    this.#overflow = true;
    this.#batches = [];
    this.#waiting = 0;
    this.#wake?.();
  }

  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  /** next waits for a delivery, or until `withinMs` have passed or the signal fires. */
  async next(withinMs: number, signal: AbortSignal): Promise<Delivery> {
    if (!this.#hasNews() && !signal.aborted) await this.#sleep(withinMs, signal);
    if (this.#closed || signal.aborted) return { kind: "closed" };
    if (this.#overflow) {
      this.#overflow = false;
      return { kind: "overflow" };
    }
    const batch = this.#batches.shift();
    if (!batch) return { kind: "idle" };
    this.#waiting -= batch.entries.length;
    return { kind: "batch", batch };
  }

  #hasNews(): boolean {
    return this.#closed || this.#overflow || this.#batches.length > 0;
  }

  #sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener("abort", done, { once: true });
      this.#wake = done;
    });
  }
}
