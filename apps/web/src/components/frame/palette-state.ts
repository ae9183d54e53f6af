const openEvent = "fairlead:palette";

/** The palette is opened from anywhere: a key, the bar, an empty search. */
export function openPalette(): void {
  window.dispatchEvent(new Event(openEvent));
}

export function onOpenPalette(listener: () => void): () => void {
  window.addEventListener(openEvent, listener);
  return () => window.removeEventListener(openEvent, listener);
}
