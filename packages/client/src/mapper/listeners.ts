/** Listeners calls whoever listens. One that throws harms neither the others nor the one who tells. */
export class Listeners<T> {
  readonly #listeners = new Set<(value: T) => void>();
  readonly #onThrown: (error: unknown) => void;

  constructor(onThrown: (error: unknown) => void = () => {}) {
    this.#onThrown = onThrown;
  }

  /** add answers the function that ends it. */
  add(listener: (value: T) => void): () => void {
    const own = (value: T) => listener(value);
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }

  tell(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        this.#onThrown(error);
      }
    }
  }
}
