type Listener = () => void;

let aheadMs = 0;
const listeners = new Set<Listener>();

/**
 * noteServerTime records the control plane's clock. Ages use only that clock: with a browser clock ten minutes fast,
 * every node would appear silent, and with a slow one, none.
 */
export function noteServerTime(now: Date): void {
  aheadMs = now.getTime() - Date.now();
  for (const listener of listeners) listener();
}

/** serverNow returns the control plane's time, or the browser's until the stream has delivered it. */
export function serverNow(): number {
  return Date.now() + aheadMs;
}

export function onServerTime(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
