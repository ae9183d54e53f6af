const openEvent = "fairlead:palette";

/** The palette can be opened from anywhere: by a key, from the bar, from an empty search. */
export function openPalette(): void {
  window.dispatchEvent(new Event(openEvent));
}

export function onOpenPalette(listener: () => void): () => void {
  window.addEventListener(openEvent, listener);
  return () => window.removeEventListener(openEvent, listener);
}
