import { expect, type Page } from "@playwright/test";

/** showTab opens a part of the page of an object. After the label, a tab may have a count. */
export async function showTab(page: Page, label: string): Promise<void> {
  const tab = page.getByRole("tab", { name: new RegExp(`^${label}( ?\\d+)?$`) });
  await tab.click();
  await expect(tab).toHaveAttribute("aria-selected", "true");
}
