import { DomainError } from "@fairlead/domain";

/**
 * Turnstile lets so many through at once and so many wait. A whole fleet that enrolls at the same moment would
 * otherwise take every connection to the database, and the reports of those that are in would starve.
 */
export class Turnstile {
  readonly #width: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(width: number, mostWaiting: number) {
    this.#width = width;
    this.#mostWaiting = mostWaiting;
  }

  /** pass does the work when it is its turn, unless whoever asked for it has given up by then. */
  async pass<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#inside >= this.#width) await this.#turn();
    else this.#inside++;
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#inside--;
    }
  }

  /** Whoever leaves hands its place on, so that nobody slips in between. */
  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#mostWaiting)
      throw new DomainError("unavailable", "Too many agents enrol just now; try again shortly.", {
        retryAfterSeconds: 5,
      });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
