/**
 * Where the session of this browser is, seen from this page: in the organisation that the page shows, over, or in
 * another organisation, because another tab switched.
 */
export type SessionState = "here" | "signed-out" | "elsewhere";

type Listener = () => void;

let state: SessionState = "here";
const listeners = new Set<Listener>();

/** Any answer may be the first to learn where the session is; the banner and the stream listen here. */
export function noteSession(next: SessionState): void {
  if (state === next) return;
  state = next;
  for (const listener of listeners) listener();
}

export function sessionState(): SessionState {
  return state;
}

export function onSessionState(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
