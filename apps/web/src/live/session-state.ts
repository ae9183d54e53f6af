type Listener = () => void;

let signedOut = false;
const listeners = new Set<Listener>();

/** Any answer may be the first to learn that the session ended; the banner and the stream listen here. */
export function noteSignedOut(): void {
  set(true);
}

export function noteSignedIn(): void {
  set(false);
}

export function isNotedSignedOut(): boolean {
  return signedOut;
}

export function onSessionState(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: boolean): void {
  if (signedOut === next) return;
  signedOut = next;
  for (const listener of listeners) listener();
}
