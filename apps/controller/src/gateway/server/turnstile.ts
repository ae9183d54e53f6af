import { DomainError } from "@fairlead/domain";

/**
 * Turnstile limits how many callers run at once and how many wait. Otherwise a whole fleet that enrols at the same
 * moment would take every database connection and block the reports of enrolled agents.
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

  /** pass runs the work when it is its turn, unless the signal is aborted by then. */
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

  /** A place is handed to the next in the queue, so that a new caller can't take it first. */
  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#mostWaiting)
      throw new DomainError("unavailable", "Too many agents are enrolling; try again shortly.", {
        retryAfterSeconds: 5,
      });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
