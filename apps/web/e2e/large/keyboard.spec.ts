import type { Locator, Page } from "@playwright/test";
import { isFocusMarked } from "../support/keyboard.ts";
import { create, createExposure, first, unique } from "../support/rest.ts";
import { settled } from "../support/settled.ts";
import { expect, test } from "../support/test.ts";

test("the palette finds an exposure by its name and opens it, by keyboard alone", async ({ page, request }) => {
  const exposure = await createExposure(request, unique("findme"));
  await page.goto("/");
  await settled(page);
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Find a page, an action or an object" });
  await expect(palette.getByRole("combobox")).toBeFocused();
  await page.keyboard.type(exposure.name);
  const found = palette.getByRole("option", { name: new RegExp(exposure.name) }).first();
  await expect(found).toBeVisible();
  await expect(found).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(exposure.id));
  await expect(palette).toBeHidden();
  await page.keyboard.press("Meta+k");
  await expect(palette).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(palette).toBeHidden();
});

test("a slash focuses the search of a list, or opens the palette if there is none", async ({ page }) => {
  await page.goto("/exposures");
  await settled(page);
  await page.keyboard.press("/");
  await expect(page.getByRole("textbox", { name: "Search exposures by name" })).toBeFocused();
  await page.goto("/");
  await settled(page);
  await page.keyboard.press("/");
  await expect(page.getByRole("dialog", { name: "Find a page, an action or an object" })).toBeVisible();
});

const letters = [
  ["o", "Overview"],
  ["e", "Exposures"],
  ["l", "Load balancers"],
  ["c", "Clusters"],
  ["n", "Nodes"],
  ["p", "Address pools"],
  ["t", "Load balancer costs"],
  ["v", "Events"],
  ["a", "Audit"],
] as const;

test("g and a letter open every page, but not while the user types", async ({ page }) => {
  await page.goto("/nodes");
  await settled(page);
  for (const [letter, title] of letters) {
    await page.keyboard.type(`g${letter}`); // in one step, because the trace takes a snapshot of the page between steps
    await expect(page.getByRole("heading", { level: 1, name: title, exact: true })).toBeVisible();
  }
  await page.goto("/exposures");
  await settled(page);
  await page.keyboard.press("/");
  await page.keyboard.type("gn");
  await expect(page.getByRole("textbox", { name: "Search exposures by name" })).toHaveValue("gn");
  await expect(page).toHaveURL(/\/exposures/);
});

test("the first Tab offers to skip to the content", async ({ page }) => {
  await page.goto("/exposures");
  await settled(page);
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to the content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});

const pages = ["/", "/exposures", "/exposures/new", "/nodes", "/settings"];
for (const path of pages)
  test(`every control of ${path} is reachable by Tab, with a visible focus`, async ({ page }) => {
    await page.goto(path);
    await settled(page);
    await page.getByRole("button", { name: "Pause live updates" }).click(); // lists of events change
    await expect(page.getByRole("button", { name: "Resume live updates" })).toHaveAttribute("data-live", "paused");
    const { keys: wanted } = await tabStops(page);
    expect(wanted.length).toBeGreaterThan(5);
    const reached = new Set<string>();
    const unmarked = new Set<string>();
    for (let i = 0; i < wanted.length + 60; i++) {
      await page.keyboard.press("Tab");
      const { focused } = await tabStops(page);
      if (!focused) continue;
      if (reached.has(focused) && reached.size >= wanted.length) break;
      reached.add(focused);
      if (!(await isFocusMarked(page))) unmarked.add(focused);
    }
    expect(wanted.filter((key) => !reached.has(key))).toEqual([]);
    expect([...unmarked]).toEqual([]);
  });

test("a dialog traps focus, and returns it to its trigger", async ({ page, request }) => {
  const cluster = await first(request, "clusters", "search=local");
  const exposure = await create(request, "exposures", {
    clusterId: cluster.id,
    name: unique("dialog"),
    workload: { namespace: "default", kind: "deployment", name: "web" },
    ports: [{ port: 80, protocol: "tcp" }],
    strategy: { type: "per-replica", addressing: "node-port" },
  });
  await page.goto(`/exposures/${exposure.id}`);
  await settled(page);
  const button = page.getByRole("button", { name: "Delete", exact: true });
  await button.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: `Delete ${exposure.name}?` });
  await expect(dialog.getByRole("textbox")).toBeFocused();
  for (let i = 0; i < 8; i++) {
    await page.keyboard.press(i % 3 === 0 ? "Shift+Tab" : "Tab");
    expect(await holdsFocus(dialog)).toBe(true);
  }
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
});

test("the keys are listed under a question mark, and those of one letter can be turned off", async ({ page }) => {
  await page.goto("/nodes");
  await settled(page);
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await help.getByRole("checkbox", { name: "Keys without ⌘ or Ctrl work" }).uncheck();
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  await expect(page.getByRole("textbox", { name: /^Search/ })).not.toBeFocused();
  await page.evaluate(() => localStorage.clear());
});

type TabStops = { keys: string[]; focused: string | null };

/**
 * tabStops returns the controls of a page, without those that are intentionally not in the tab order (the rows of a
 * grid), and the focused element. A key is what a control shows and where it leads, not which element it is: a live list replaces
 * its elements at any time.
 */
function tabStops(page: Page): Promise<TabStops> {
  return page.evaluate(() => {
    const every = document.querySelectorAll<HTMLElement>(
      "a[href], button, input:not([type=hidden]), select, textarea, [tabindex]",
    );
    const seenGroups = new Set<string>();
    const times = new Map<string, number>();
    const keys = new Map<Element, string>();
    for (const element of every) {
      const isShown = element.checkVisibility({ visibilityProperty: true, opacityProperty: false });
      if (!isShown || element.tabIndex < 0 || element.matches(":disabled") || element.closest("[inert]")) continue;
      if (element.closest("[data-radix-focus-guard]")) continue;
      if (element instanceof HTMLInputElement && element.type === "radio") {
        // A radio group is a single tab stop.
        if (seenGroups.has(element.name)) continue;
        const inGroup = document.querySelectorAll<HTMLInputElement>(`input[name="${CSS.escape(element.name)}"]`);
        if (![...inGroup].some((radio) => radio.checked) || element.checked) seenGroups.add(element.name);
        else continue;
      }
      const name = (element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 40);
      const what = `${element.tagName.toLowerCase()} ${element.getAttribute("href") ?? element.id} ${name}`;
      const time = (times.get(what) ?? 0) + 1;
      times.set(what, time);
      keys.set(element, `${what} ${time}`);
    }
    const active = document.activeElement as HTMLElement | null;
    const isOnControl = active !== null && active !== document.body;
    const focused = isOnControl ? (keys.get(active) ?? `${active.tagName.toLowerCase()} unknown`) : null;
    return { keys: [...keys.values()], focused };
  });
}

function holdsFocus(dialog: Locator): Promise<boolean> {
  return dialog.evaluate((element) => element.contains(document.activeElement));
}
