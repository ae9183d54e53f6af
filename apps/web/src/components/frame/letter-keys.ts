const storageKey = "fairlead:letter-keys";
const listeners = new Set<() => void>();

/** Single-letter shortcuts conflict with speech input, so they can be turned off. */
export const letterKeys = {
  areOn: (): boolean => localStorage.getItem(storageKey) !== "off",
  set(on: boolean): void {
    localStorage.setItem(storageKey, on ? "on" : "off");
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
