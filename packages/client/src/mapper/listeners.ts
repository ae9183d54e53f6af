/** Listeners calls all registered listeners. One that throws affects neither the others nor the caller. */
export class Listeners<T> {
  readonly #listeners = new Set<(value: T) => void>();
  readonly #onThrown: (error: unknown) => void;

  constructor(onThrown: (error: unknown) => void = () => {}) {
    this.#onThrown = onThrown;
  }

  /** add returns the function that removes the listener. */
  add(listener: (value: T) => void): () => void {
    const own = (value: T) => listener(value);
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }

  emit(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        this.#onThrown(error);
      }
    }
  }
}
