import type { BrowserContext, Page } from "@playwright/test";
import { joinOrganization } from "../support/organization.ts";
import { owner } from "../support/product.ts";
import { createExposure, remove, unique } from "../support/rest.ts";
import { expect, test } from "../support/test.ts";
import { lookAt } from "../support/visibility.ts";

/** Also found behind a dialog, where elements have no role. */
const live = (page: Page) => page.locator("button[data-live]");

test("a tenth tab is as fast as the first, and a hidden one catches up", async ({ context, request }) => {
  const prefix = unique("tabs");
  const before = await createExposure(request, `${prefix}-a`);
  const tabs: Page[] = [];
  for (let i = 0; i < 10; i++) {
    const tab = await openTab(context, "/exposures");
    await expect(live(tab)).toHaveAttribute("data-live", "live");
    await tab.getByRole("textbox", { name: /^Search/ }).fill(prefix);
    await expect(list(tab)).toContainText(before.name, { timeout: 5_000 });
    await lookAt(tab, tabs);
    tabs.unshift(tab);
  }
  const missed = await createExposure(request, `${prefix}-b`);
  const [newest, ...others] = tabs;
  const first = tabs.at(-1);
  if (!newest || !first) throw new Error("no tabs");
  await expect(list(newest)).toContainText(missed.name);
  await expect(list(first)).not.toContainText(missed.name);
  await lookAt(first, [newest, ...others.filter((each) => each !== first)]);
  await expect(list(first)).toContainText(missed.name, { timeout: 5_000 });
  for (const { id } of [before, missed]) await remove(request, "exposures", id);
});

test.describe("an organisation that is switched in another tab", () => {
  test.use({ storageState: { cookies: [], origins: [] }, allowedProblems: /status of 412/ });

  test("shows a notice, and changes of this tab are applied to neither organisation", async ({ page, context }) => {
    const name = unique("beta");
    const leave = await joinOrganization(name, owner.email);
    try {
      await signIn(page);
      const other = await openTab(context, "/");
      await page.goto("/clusters");
      await page.getByRole("button", { name: "Create cluster" }).first().click();
      const dialog = page.getByRole("dialog");
      const cluster = unique("meant-for-main");
      await dialog.getByLabel("Name").fill(cluster);
      await dialog.getByLabel("Kind").selectOption("machines");

      await other.getByRole("button", { name: "Main" }).click();
      await other.getByRole("menuitemcheckbox", { name: new RegExp(name) }).click();
      await expect(other.getByRole("button", { name })).toBeVisible();
      await expect(live(page)).toHaveAttribute("data-live", "elsewhere");
      await dialog.getByRole("button", { name: "Create cluster" }).click();
      await expect(dialog).toContainText("nothing was done");
      const there = await context.request.get(`/api/v1/clusters?search=${cluster}`);
      expect(await there.json()).toMatchObject({ total: 0 });

      await page.keyboard.press("Escape");
      await page.getByRole("dialog", { name: "Discard your input?" }).getByRole("button", { name: "Discard" }).click();
      const notice = page.getByRole("alert").filter({ hasText: `You switched to ${name} in another tab` });
      await notice.getByRole("button", { name: "Go back to Main" }).click();
      await expect(notice).toBeHidden();
      await expect(live(page)).toHaveAttribute("data-live", "live");
      await expect(other.getByRole("alert").filter({ hasText: "You switched to Main" })).toBeVisible();
    } finally {
      await leave();
    }
  });
});

const list = (page: Page) => page.getByRole("grid", { name: "Exposures" });

async function openTab(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(path);
  return page;
}

async function signIn(page: Page): Promise<void> {
  await page.goto("/");
  await page.getByLabel("Email").fill(owner.email);
  await page.getByLabel("Password").fill(owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(live(page)).toHaveAttribute("data-live", "live");
}
