import type { Page } from "@playwright/test";
import { expect, test } from "../support/test.ts";

const grid = (page: Page) => page.getByRole("grid", { name: "Load balancers" });
const row = (page: Page, index: number) => grid(page).locator(`[aria-rowindex="${index + 2}"]`);
const active = (page: Page) => grid(page).locator("[data-row][data-active]");
const names = (page: Page) => grid(page).locator("[data-row]").getByRole("link").first();

async function open(page: Page, query = ""): Promise<void> {
  await page.goto(`/load-balancers${query}`);
  await expect(grid(page).locator("[data-row]").first()).toBeVisible();
}

async function total(page: Page): Promise<number> {
  const text =
    (await page
      .getByRole("status")
      .filter({ hasText: /load balancers?$/ })
      .textContent()) ?? "";
  return Number(text.replaceAll(/[^\d]/g, ""));
}

test("the End key reaches the last row, and Home the first", async ({ page }) => {
  await open(page);
  const last = (await total(page)) - 1;
  await grid(page).focus();
  await page.keyboard.press("End");
  await expect(row(page, last)).toHaveAttribute("data-active", "true");
  await expect(row(page, last)).toBeInViewport();
  await expect(row(page, last).getByRole("link").first()).not.toBeEmpty();
  await page.keyboard.press("Home");
  await expect(row(page, 0)).toHaveAttribute("data-active", "true");
  await expect(row(page, 0)).toBeInViewport();
});

test("the server sorts in both directions, which is announced to screen readers and kept in the URL", async ({
  page,
}) => {
  await open(page);
  const header = grid(page).getByRole("columnheader", { name: "Name" });
  await expect(header).toHaveAttribute("aria-sort", "ascending");
  const first = await names(page).textContent();
  await header.getByRole("button").click();
  await expect(header).toHaveAttribute("aria-sort", "descending");
  await expect(page).toHaveURL(/sort=-name/);
  await expect(names(page)).not.toHaveText(first ?? "");
  const lastName = await names(page).textContent();
  expect((lastName ?? "").localeCompare(first ?? "")).toBeGreaterThan(0);
  await page.reload();
  await expect(header).toHaveAttribute("aria-sort", "descending");
  await expect(names(page)).toHaveText(lastName ?? "");
});

test("a filter narrows the rows, is shown, and is removed with its clear button", async ({ page }) => {
  await open(page);
  const all = await total(page);
  await page.getByRole("button", { name: /^Filter by State/ }).click();
  await page.getByRole("checkbox", { name: "Degraded" }).check();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/phase=degraded/);
  await expect.poll(() => total(page)).toBeLessThan(all);
  const shown = grid(page).locator("[data-row]");
  await expect(shown.first()).toContainText("Degraded");
  await expect(shown.filter({ hasText: "Serving" })).toHaveCount(0);
  await page.getByRole("button", { name: "Remove the filter State: Degraded" }).click();
  await expect.poll(() => total(page)).toBe(all);
  await expect(page).not.toHaveURL(/phase=/);
});

test("a search queries the server while the user types, and Escape clears it", async ({ page }) => {
  await open(page);
  const name = (await names(page).textContent()) ?? "";
  await page.keyboard.press("/");
  const search = page.getByRole("textbox", { name: /^Search/ });
  await expect(search).toBeFocused();
  await page.keyboard.type(name);
  await expect(page).toHaveURL(new RegExp(`q=${encodeURIComponent(name)}`));
  await expect(names(page)).toHaveText(name);
  await expect.poll(() => total(page)).toBeLessThan(10_000);
  await search.fill("no-balancer-is-called-this");
  await expect(page.getByRole("heading", { name: "No load balancers match" })).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).first().click();
  await expect.poll(() => total(page)).toBeGreaterThanOrEqual(10_000);
});

test("columns and density can be selected, are kept in the URL, and can be reset", async ({ page }) => {
  await open(page);
  const before = (await row(page, 0).boundingBox())?.height ?? 0;
  await page.getByRole("button", { name: "View" }).click();
  const view = page.getByRole("dialog", { name: "View" });
  await view.getByRole("button", { name: "compact" }).click();
  const header = grid(page).getByRole("columnheader");
  const count = await header.count();
  await view.getByRole("checkbox", { name: "Cluster" }).uncheck();
  await expect(header).toHaveCount(count - 1);
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/density=compact/);
  await expect(page).toHaveURL(/cols=/);
  await page.reload();
  await expect(grid(page).locator("[data-row]").first()).toBeVisible();
  await expect(header).toHaveCount(count - 1);
  await expect.poll(async () => (await row(page, 0).boundingBox())?.height ?? before).toBeLessThan(before);
});

test("a peek opens with Enter, follows the active row, and closes with Escape and the back button", async ({
  page,
}) => {
  await open(page);
  await grid(page).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const peek = page.getByRole("complementary", { name: /peek$/ });
  const second = (await row(page, 1).getByRole("link").first().textContent()) ?? "";
  await expect(peek.getByRole("heading", { level: 2 })).toHaveText(second);
  await expect(page).toHaveURL(/peek=lb_/);
  await page.keyboard.press("ArrowDown");
  const third = (await row(page, 2).getByRole("link").first().textContent()) ?? "";
  await expect(peek.getByRole("heading", { level: 2 })).toHaveText(third);
  // The browser's history follows shortly after the picture.
  await page.keyboard.press("Escape");
  await expect(peek).toBeHidden();
  await expect(page).not.toHaveURL(/peek=/);
  await page.keyboard.press("Enter");
  await expect(peek).toBeVisible();
  await expect(page).toHaveURL(/peek=lb_/);
  await page.goBack();
  await expect(peek).toBeHidden();
  await page.goForward();
  await expect(peek).toBeVisible();
  await page.reload();
  await expect(peek.getByRole("heading", { level: 2 })).toHaveText(third);
});

test("the active row exists while it is loading, and an open peek follows it", async ({ page }) => {
  await open(page);
  const last = (await total(page)) - 1;
  await grid(page).focus();
  await page.keyboard.press("Enter");
  const peek = page.getByRole("complementary", { name: /peek$/ });
  await expect(peek).toBeVisible();
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(/loadBalancer\.list/, async (route) => {
    await held;
    await route.continue();
  });
  await page.keyboard.press("End");
  const onItsWay = grid(page).locator(`[aria-rowindex="${last + 2}"]`);
  await expect(onItsWay).toHaveAttribute("aria-busy", "true");
  await expect(grid(page)).toHaveAttribute("aria-activedescendant", (await onItsWay.getAttribute("id")) ?? "no id");
  letGo();
  const name = (await row(page, last).getByRole("link").first().textContent()) ?? "";
  await expect(peek.getByRole("heading", { level: 2 })).toHaveText(name);
});

test("Shift Enter opens the page of a row, and the back button restores the list and its position", async ({
  page,
}) => {
  await open(page);
  await grid(page).focus();
  for (let i = 0; i < 5; i++) await page.keyboard.press("PageDown");
  // The URL is updated shortly after scrolling stops.
  const firstShown = () =>
    grid(page).evaluate((element) => {
      const height = element.querySelector("[data-row]")?.getBoundingClientRect().height ?? 1;
      return Math.ceil((element.parentElement?.scrollTop ?? 0) / height);
    });
  await expect.poll(async () => Number(/row=(\d+)/.exec(page.url())?.[1]) === (await firstShown())).toBe(true);
  const name = (await active(page).getByRole("link").first().textContent()) ?? "";
  await page.keyboard.press("Shift+Enter");
  await expect(page).toHaveURL(/\/load-balancers\/lb_/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
  await page.goBack();
  // Its exposure, in the same row, may have the same name.
  await expect(grid(page).getByRole("link", { name, exact: true }).first()).toBeInViewport();
});

test("the URL contains the whole state of a list, so that a shared link shows the same", async ({ page, context }) => {
  const query = "?q=a&sort=-clusterName&density=compact&phase=serving,degraded&row=300";
  await open(page, query);
  const colleague = await context.newPage();
  await open(colleague, query);
  await expect(colleague.getByRole("textbox", { name: /^Search/ })).toHaveValue("a");
  // By name, because the age has changed by then.
  const nameOf = (each: Page) => each.locator('[aria-rowindex="302"]').getByRole("link").first();
  const firstShown = await nameOf(page).textContent();
  await expect(nameOf(colleague)).toHaveText(firstShown ?? "");
  await expect(colleague.locator('[aria-rowindex="302"]')).toBeInViewport();
});
