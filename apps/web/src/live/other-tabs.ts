let kept: BroadcastChannel | undefined;

/** One channel per page: a channel doesn't deliver messages to itself, and a page need not receive its own. */
function channel(): BroadcastChannel {
  kept ??= new BroadcastChannel("fairlead:session");
  return kept;
}

/**
 * notifyOtherTabs notifies other tabs that the session has changed. It is a hint: a tab that misses it finds out with the
 * next response.
 */
export function notifyOtherTabs(): void {
  channel().postMessage("changed");
}

export function onOtherTabMessage(listener: () => void): () => void {
  channel().addEventListener("message", listener);
  return () => channel().removeEventListener("message", listener);
}
