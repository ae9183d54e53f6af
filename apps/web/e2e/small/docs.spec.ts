import type { Locator, Page } from "@playwright/test";
import { type DocsTopic, docsHref } from "../../src/components/docs/docs-topics.ts";
import { pageTopics } from "../../src/components/docs/page-topics.ts";
import { settled } from "../support/settled.ts";
import { expect, test } from "../support/test.ts";

test.describe("signed out", () => {
  test.use({ storageState: { cookies: [], origins: [] }, allowedProblems: /status of 404/ });

  test("the documentation is public, and its search finds a paragraph by its words", async ({ page }) => {
    await page.goto("/docs");
    await expect(page).toHaveTitle("Docs · Fairlead");
    const search = page.getByRole("searchbox", { name: "Search the documentation" });
    await page.keyboard.press("Control+k");
    await expect(search).toBeFocused();
    await search.blur();
    await page.keyboard.press("/");
    await expect(search).toBeFocused();
    await page.keyboard.type("rejected kubeconfig");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("status").filter({ hasText: "for “rejected kubeconfig”" })).toBeVisible();
    await page.getByRole("main").getByRole("link", { name: "Rejected kubeconfig fields" }).click();
    await expect(page).toHaveURL(/\/docs\/reference\/kubernetes#rejected-kubeconfig-fields$/);
    await expect(page.getByRole("heading", { name: "Rejected kubeconfig fields" })).toBeInViewport();
    await expect(page).toHaveTitle("Kubernetes reference · Docs · Fairlead");
  });

  test("links between pages lead to their paragraphs, and the contents list shows those of the page", async ({
    page,
  }) => {
    await page.goto("/docs/guides/kubernetes");
    const contents = page.getByRole("navigation", { name: "On this page" });
    await contents.getByRole("link", { name: "Limits" }).click();
    await expect(page.getByRole("heading", { name: "Limits" })).toBeInViewport();
    await page.getByRole("main").getByRole("link", { name: "rejected", exact: true }).click();
    await expect(page).toHaveURL(/\/docs\/reference\/kubernetes#rejected-kubeconfig-fields$/);
    const pages = page.getByRole("navigation", { name: "All pages" });
    await pages.getByRole("link", { name: "Your first hour" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Your first hour" })).toBeVisible();
    await expect(pages.getByRole("link", { name: "Your first hour" })).toHaveAttribute("aria-current", "page");
  });

  test("on a phone, no page is wider than the screen, and the list of pages folds", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of ["/docs", "/docs/reference/costs", "/docs/guides/client", "/docs?q=bgp"]) {
      await page.goto(path);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    }
    await page.getByRole("group").filter({ hasText: "All pages" }).first().locator("summary").first().click();
    await page.getByRole("link", { name: "Glossary" }).first().click();
    await expect(page.getByRole("heading", { level: 1, name: "Glossary" })).toBeVisible();
  });

  for (const path of ["/docs/guides/no-such-page", "/docs/guides/..%2f..%2f..%2fpackage.json"])
    test(`${path} is not found`, async ({ page }) => {
      const answer = await page.goto(path);
      expect(answer?.status()).toBe(404);
    });
});

test("the palette finds a section of the documentation, by keyboard alone", async ({ page }) => {
  await page.goto("/nodes");
  await settled(page);
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Find a page, an action or an object" });
  await expect(palette.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("phases of a route update");
  const found = palette.getByRole("option", { name: "Phases of a route update" });
  await expect(found).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/docs\/reference\/routing#phases-of-a-route-update$/);
  await expect(page.getByRole("heading", { name: "Phases of a route update" })).toBeInViewport();
  await page.getByRole("link", { name: "Dashboard", exact: true }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
});

const pages = [
  ["/nodes", "Nodes", "dashboard#nodes"],
  ["/exposures", "Exposures", "dashboard#exposures"],
  ["/settings/members", "Members", "dashboard#members"],
  ["/costs/price-book", "Price book", "costs#price-book"],
] as const;
for (const [path, heading, to] of pages)
  test(`${path} links to its paragraph, in a new tab`, async ({ page }) => {
    await page.goto(path);
    const opened = page.waitForEvent("popup");
    await page.getByRole("main").getByRole("link", { name: /^Docs/ }).first().click();
    const docs = await opened;
    await expect(docs).toHaveURL(new RegExp(`/docs/reference/${to}$`));
    await expect(docs.getByRole("heading", { name: heading, exact: true }).last()).toBeInViewport();
  });

test("every page without an id in its address links to its paragraph", async ({ page, browser }) => {
  const signedOut = await browser.newPage({ storageState: { cookies: [], origins: [] } });
  await signedOut.goto("/sign-in");
  await expect(linkTo(signedOut, "signIn")).toBeVisible();
  await signedOut.context().close();
  const paths = Object.entries(pageTopics).filter(([path]) => !/\[|^\/(sign-in|set-up)$/.test(path));
  for (const [path, topic] of paths) {
    await page.goto(path, { waitUntil: "commit" });
    await expect(linkTo(page, topic), path).toBeVisible();
  }
});

/** linkTo is the link of the page itself. Those of fields have the same paragraphs, but no text. */
function linkTo(page: Page, topic: DocsTopic): Locator {
  return page
    .getByRole("main")
    .locator(`a[href="${docsHref(topic)}"]`, { hasText: /^Docs: / })
    .filter({ has: page.locator("svg.lucide-book-open") });
}

test("a field links to its paragraph, and the input of the form is kept", async ({ page }) => {
  await page.goto("/address-pools?create=true");
  const form = page.getByRole("dialog", { name: "Create an address pool" });
  await form.getByLabel("Name").fill("kept");
  const opened = page.waitForEvent("popup");
  await form.getByRole("link", { name: "Docs: address pools" }).click();
  const docs = await opened;
  await expect(docs.getByRole("heading", { name: "Address pools" })).toBeInViewport();
  await expect(form.getByLabel("Name")).toHaveValue("kept");
});
