/** The forms whose input is not saved. */
const unsaved = new Set<HTMLFormElement>();
/** Their panels. A value of its own after each change, because React compares it. */
let panels: readonly string[] = [];
const listeners = new Set<() => void>();
const leaveEvent = "fairlead:leave";

export type Leaving = { within: Element; go: () => void };

export function markUnsaved(form: HTMLFormElement, isUnsaved: boolean): void {
  if (unsaved.has(form) === isUnsaved) return;
  if (isUnsaved) unsaved.add(form);
  else unsaved.delete(form);
  notifyListeners();
}

/** unsavedPanels returns the panels (see PanelContext) that have input which is not saved. */
export function unsavedPanels(): readonly string[] {
  return panels;
}

/** onUnsaved calls the listener after each change of unsavedPanels(). */
export function onUnsaved(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notifyListeners(): void {
  panels = [...unsaved].flatMap((form) => form.dataset.panel ?? []);
  for (const listener of listeners) listener();
}

/** hasUnsaved reports whether a part of the page has input that is not saved. */
export function hasUnsaved(within: Element = document.body): boolean {
  return [...unsaved].some((form) => within.contains(form));
}

/** discardUnsaved lets the forms of a part of the page be left. */
export function discardUnsaved(within: Element): void {
  for (const form of [...unsaved]) if (within.contains(form)) unsaved.delete(form);
  notifyListeners();
}

/** leave runs go, which closes a part of the page. If that has input that is not saved, the user has to confirm. */
export function leave(go: () => void, within: Element = document.body): void {
  if (hasUnsaved(within)) window.dispatchEvent(new CustomEvent<Leaving>(leaveEvent, { detail: { within, go } }));
  else go();
}

export function onLeave(listener: (leaving: Leaving) => void): () => void {
  const onEvent = (event: Event) => listener((event as CustomEvent<Leaving>).detail);
  window.addEventListener(leaveEvent, onEvent);
  return () => window.removeEventListener(leaveEvent, onEvent);
}
