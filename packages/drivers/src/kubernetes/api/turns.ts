import { KubernetesError } from "./error.ts";

const mostTries = 6;
const mostWaitMs = 10_000;
const usualWaitMs = 1_000;
/** Leaves apiserver capacity to other clients, and a connection to each watch. */
export const mostAtOnce = 16;
/** Rounds without throttling until one more concurrent request is allowed: a small limit is rarely exceeded again. */
const roundsBeforeMore = 16;

/**
 * Turns limits concurrent requests to one apiserver. When it returns 429, all requests wait for its Retry-After, and the
 * limit is halved, then slowly raised again. Independent retries would only add load.
 */
export class Turns {
  readonly #now: () => number;
  #allowed = mostAtOnce;
  #taken = 0;
  #sent = 0;
  #notBefore = 0;
  #pause: NodeJS.Timeout | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** take sends a request when its turn comes, and again if the apiserver throttled it. */
  async take<T>(send: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let tries = 1; ; tries++) {
      await this.#enter(signal);
      try {
        const answer = await send();
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
        // If it was just woken, the next one gets its turn.
        this.#wake();
        throw signal.reason;
      }
      if (this.#notBefore <= this.#now() && this.#taken < this.#allowed) break;
      await this.#wait(signal);
    }
    this.#taken += 1;
  }

  /** Waiting requests check again when another one ends, when the pause ends, or on abort. */
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

  /** During a pause no request is sent. Its end wakes all that wait by then, also those from before it. */
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

  /** Without waiting requests, the timer must not keep the process running. */
  #endPause(): void {
    clearTimeout(this.#pause);
    this.#pause = undefined;
  }

  #speedUp(): void {
    this.#sent += 1;
    if (this.#allowed >= mostAtOnce || this.#sent < this.#allowed * roundsBeforeMore) return;
    this.#allowed += 1;
    this.#sent = 0;
  }

  #slowDown(waitMs: number): void {
    const now = this.#now();
    // Requests sent together are throttled together: that counts once.
    if (now >= this.#notBefore) this.#allowed = Math.max(1, Math.floor(this.#allowed / 2));
    this.#sent = 0;
    this.#notBefore = Math.max(this.#notBefore, now + Math.min(mostWaitMs, waitMs) * (1 + 0.25 * Math.random()));
  }
}

function isTooMany(error: unknown): error is KubernetesError {
  return error instanceof KubernetesError && error.status === 429;
}
