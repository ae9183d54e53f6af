type Listener = () => void;

let aheadMs = 0;
const listeners = new Set<Listener>();

/**
 * noteServerTime learns what the control plane's clock says at this moment. Ages are told by that clock alone: a browser
 * that goes ten minutes fast would else call every node silent, and one that goes slow none.
 */
export function noteServerTime(now: Date): void {
  aheadMs = now.getTime() - Date.now();
  for (const listener of listeners) listener();
}

/** serverNow is the control plane's time as far as it is known; the browser's own until the stream has said it. */
export function serverNow(): number {
  return Date.now() + aheadMs;
}

export function onServerTime(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
