import { setTimeout as sleep } from "node:timers/promises";

/** Pace keeps a minimum time between two attempts, so that a server that closes each connection at once is not flooded. */
export class Pace {
  readonly #minMs: number;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(minMs: number) {
    this.#minMs = minMs;
  }

  /** next waits until the next attempt may begin. It rejects when the signal is aborted. */
  async next(signal: AbortSignal): Promise<void> {
    // A timer may fire early.
    for (;;) {
      const leftMs = this.#lastAt + this.#minMs - performance.now();
      if (leftMs <= 0) break;
      await sleep(Math.ceil(leftMs), undefined, { signal });
    }
    signal.throwIfAborted();
    this.#lastAt = performance.now();
  }
}
