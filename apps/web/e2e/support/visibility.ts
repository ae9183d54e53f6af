import type { Page } from "@playwright/test";

/** lookAt sets the visibility of pages like tabs of one window: one visible, the others hidden. */
export async function lookAt(shown: Page, hidden: readonly Page[]): Promise<void> {
  for (const page of hidden) await setVisibility(page, "hidden");
  await setVisibility(shown, "visible");
}

function setVisibility(page: Page, state: DocumentVisibilityState): Promise<void> {
  // A headless browser shows all its pages at once.
  return page.evaluate((to) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, value: to });
    Object.defineProperty(document, "hidden", { configurable: true, value: to === "hidden" });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);
}
