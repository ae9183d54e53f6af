import type { Page } from "@playwright/test";

/** leave opens a page that shows no objects: one that shows a removed object would ask for it again. */
export async function leave(page: Page): Promise<void> {
  await page.goto("/settings/members");
}
