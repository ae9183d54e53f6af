import type { Page } from "@playwright/test";
import { first } from "../support/rest.ts";
import { expect, test } from "../support/test.ts";

test("input from before hydration counts", async ({ page, request }) => {
  const node = await first(request, "nodes");
  const runNode = await visitWithoutCode(page, `/nodes/${node.id}?tab=agents`);
  const sample = page.getByLabel("Sample interval, seconds");
  const typed = (await sample.inputValue()) === "1" ? "2" : "1";
  await sample.fill(typed);
  await expect(page.getByRole("button", { name: "Save" })).toBeDisabled();
  await runNode();
  await expect(page.getByRole("button", { name: "Save" })).toBeEnabled();
  await expect(sample).toHaveValue(typed);
  await page.getByRole("button", { name: "Discard" }).click();

  const runForm = await visitWithoutCode(page, "/exposures/new");
  await page.getByLabel("Name", { exact: true }).first().fill("early");
  const perReplica = page.getByRole("radio", { name: /Per replica/ });
  await expect(perReplica).not.toBeChecked();
  await perReplica.check();
  await page.getByRole("combobox", { name: "Kind" }).selectOption({ label: "StatefulSet" });
  const preview = page.getByRole("region", { name: "Preview" });
  await expect(preview).toContainText("a name,");
  await runForm();
  await expect(preview).not.toContainText("a name,");
  await page.reload();
  // After a reload the page has only what it stored.
  await expect(page.getByLabel("Name", { exact: true }).first()).toHaveValue("early");
  await expect(perReplica).toBeChecked();
  await expect(page.getByRole("combobox", { name: "Kind" }).locator("option:checked")).toHaveText("StatefulSet");
});

/** visitWithoutCode opens a page without running its code, and returns a function that lets the code run. */
async function visitWithoutCode(page: Page, path: string): Promise<() => Promise<void>> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/_next\/static\/.*\.js/, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(path, { waitUntil: "commit" });
  return async () => {
    release();
    await expect(page.locator("[data-live=live]")).toHaveCount(1);
  };
}
