/** lazily makes a thing when it is first needed: a formatter of Intl takes milliseconds, and a page waits for its modules. */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
