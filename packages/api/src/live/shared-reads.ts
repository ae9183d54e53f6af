const mostKept = 64;

/** at: when it was read; null while it is. */
type Kept<Value> = { at: number | null; value: Promise<Value> };

/** SharedReads lets callers with the same key share what is being read, or was read a short time ago. */
export class SharedReads<Value> {
  readonly #kept = new Map<string, Kept<Value>>();

  /** get reads a value unless it is being read, or was read less than lastsMs ago. A failed read is not kept. */
  get(key: string, lastsMs: number, read: () => Promise<Value>): Promise<Value> {
    const found = this.#kept.get(key);
    if (found && (found.at === null || Date.now() - found.at < lastsMs)) return found.value;
    const kept: Kept<Value> = { at: null, value: read() };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostKept) break;
      this.#kept.delete(oldest);
    }
    kept.value.then(
      () => {
        kept.at = Date.now();
      },
      () => {
        if (this.#kept.get(key) === kept) this.#kept.delete(key);
      },
    );
    return kept.value;
  }

  clear(): void {
    this.#kept.clear();
  }
}
