/** lazily creates a value on first use: an Intl formatter takes milliseconds, and a page waits for its modules. */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
