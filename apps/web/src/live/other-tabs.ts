let kept: BroadcastChannel | undefined;

/** One for the page: a channel is silent only to itself, and a page need not hear what it said. */
function channel(): BroadcastChannel {
  kept ??= new BroadcastChannel("fairlead:session");
  return kept;
}

/** tellOtherTabs says that the session is another now. It is a hint: who misses it learns from the next answer. */
export function tellOtherTabs(): void {
  channel().postMessage("changed");
}

export function onToldByOtherTab(listener: () => void): () => void {
  channel().addEventListener("message", listener);
  return () => channel().removeEventListener("message", listener);
}
