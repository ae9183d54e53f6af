import { expect, type Page } from "@playwright/test";

/** settled waits until the page follows changes, and nothing of it is on its way any more: it has what keys lead to. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator("[data-live=live]")).toHaveCount(1);
  await expect(page.locator("main [aria-busy=true]")).toHaveCount(0);
}
