import { KubernetesError } from "./error.ts";

const mostTries = 6;
const mostWaitMs = 10_000;
const usualWaitMs = 1_000;
/** So that one busy cluster leaves its apiserver room for others, and its watches a connection each. */
export const mostAtOnce = 16;
/** So many rounds without being turned away, before one more goes at once: where little room is, that is found out seldom. */
const roundsBeforeMore = 16;

/**
 * Turns lets some requests to one apiserver go at once. When it says that they are too many, all wait for as long as it
 * asks, and half as many go from then on, until it bears more: each trying again by itself would only be more of it.
 */
export class Turns {
  readonly #now: () => number;
  #allowed = mostAtOnce;
  #taken = 0;
  #went = 0;
  #notBefore = 0;
  #pause: NodeJS.Timeout | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** take asks when it is its turn, and again what the apiserver was too busy for. */
  async take<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let tries = 1; ; tries++) {
      await this.#enter(signal);
      try {
        const answer = await ask();
        this.#speedUp();
        return answer;
      } catch (error) {
        if (!isTooMany(error)) throw error;
        this.#slowDown(error.retryAfterMs ?? usualWaitMs);
        if (tries === mostTries) throw error;
      } finally {
        this.#taken -= 1;
        this.#wake();
      }
    }
  }

  async #enter(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      if (signal?.aborted) {
        // It may have been woken to go: then that is the next one's turn.
        this.#wake();
        throw signal.reason;
      }
      if (this.#notBefore <= this.#now() && this.#taken < this.#allowed) break;
      await this.#wait(signal);
    }
    this.#taken += 1;
  }

  /** Whoever waits looks again when another is done, when the pause is over, or when it is told to stop. */
  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#waiting.delete(done);
        if (this.#waiting.size === 0) this.#endPause();
        signal?.removeEventListener("abort", done);
        resolve();
      };
      this.#waiting.add(done);
      signal?.addEventListener("abort", done);
      this.#wake();
    });
  }

  /** In a pause nobody may go, nor be forgotten who came before it: its end wakes whoever waits by then. */
  #wake(): void {
    const waitMs = this.#notBefore - this.#now();
    if (waitMs > 0) {
      if (this.#waiting.size > 0)
        this.#pause ??= setTimeout(() => {
          this.#endPause();
          this.#wake();
        }, Math.ceil(waitMs));
      return;
    }
    let free = this.#allowed - this.#taken;
    for (const done of this.#waiting) {
      if (free-- <= 0) return;
      done();
    }
  }

  /** A pause that nobody waits for keeps no process running. */
  #endPause(): void {
    clearTimeout(this.#pause);
    this.#pause = undefined;
  }

  #speedUp(): void {
    this.#went += 1;
    if (this.#allowed >= mostAtOnce || this.#went < this.#allowed * roundsBeforeMore) return;
    this.#allowed += 1;
    this.#went = 0;
  }

  #slowDown(waitMs: number): void {
    const now = this.#now();
    // Those that went together are turned away together: that is once.
    if (now >= this.#notBefore) this.#allowed = Math.max(1, Math.floor(this.#allowed / 2));
    this.#went = 0;
    this.#notBefore = Math.max(this.#notBefore, now + Math.min(mostWaitMs, waitMs) * (1 + 0.25 * Math.random()));
  }
}

function isTooMany(error: unknown): error is KubernetesError {
  return error instanceof KubernetesError && error.status === 429;
}
