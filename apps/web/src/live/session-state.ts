/**
 * The session of this browser, relative to this page: in the page's organisation, ended, or in another organisation
 * because another tab switched.
 */
export type SessionState = "here" | "signed-out" | "elsewhere";

type Listener = () => void;

let state: SessionState = "here";
const listeners = new Set<Listener>();

/** Any response may be the first to detect a change of the session. The banner and the stream subscribe here. */
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
