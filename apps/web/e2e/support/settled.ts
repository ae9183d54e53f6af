import { expect, type Page } from "@playwright/test";

/** settled waits until the page is connected to the live stream and has loaded everything, including the targets of shortcuts. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator("[data-live=live]")).toHaveCount(1);
  await expect(page.locator("main [aria-busy=true]")).toHaveCount(0);
}
