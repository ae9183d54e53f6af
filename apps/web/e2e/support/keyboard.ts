import { expect, type Locator, type Page } from "@playwright/test";

/** More stops than any page of the tests has: a walk that is longer goes in circles. */
const mostStops = 120;

/** tabTo presses Tab until the control has the focus, which is never lost or invisible on the way. */
export async function tabTo(page: Page, control: Locator, { key = "Tab" }: { key?: "Tab" | "Shift+Tab" } = {}) {
  await expect(control).toBeVisible();
  for (let stop = 0; stop < mostStops; stop++) {
    await page.keyboard.press(key);
    const focus = await focusOf(page);
    expect(focus, `stop ${stop + 1} on the way to ${control}`).toMatchObject({ isMarked: true, isInView: true });
    if (await isFocused(control)) return;
  }
  throw new Error(`${control} is not reachable by ${key}`);
}

/** activate tabs to a control and presses Enter. */
export async function activate(page: Page, control: Locator): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press("Enter");
}

/** openTab opens a part of the page of an object: the arrow keys move between its tabs, and Enter opens one. */
export async function openTab(page: Page, label: string): Promise<void> {
  const tabs = page.getByRole("tab");
  const tab = tabs.filter({ hasText: new RegExp(`^${label}`) });
  const open = page.getByRole("tab", { selected: true });
  if (!(await isFocused(open))) await tabTo(page, open);
  for (let more = await tabs.count(); more > 0 && !(await isFocused(tab)); more--) {
    await page.keyboard.press("ArrowRight");
    expect(await isFocusMarked(page), `a tab on the way to ${label}`).toBe(true);
  }
  await page.keyboard.press("Enter");
  await expect(tab).toHaveAttribute("aria-selected", "true");
}

function isFocused(control: Locator): Promise<boolean> {
  return control.evaluate((element) => element === document.activeElement);
}

/** fillIn tabs to a field and types a value. */
export async function fillIn(page: Page, field: Locator, value: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press("Control+a");
  await page.keyboard.type(value);
  await expect(field).toHaveValue(value);
}

/** choose tabs to a list of options and types the beginning of one. */
export async function choose(page: Page, list: Locator, option: string): Promise<void> {
  await tabTo(page, list);
  await page.keyboard.type(option);
  await expect(list.locator("option:checked")).toHaveText(new RegExp(`^${option}`));
}

/** runFromPalette opens the palette from anywhere, types a text, and runs the first result. */
export async function runFromPalette(page: Page, text: string, result: RegExp): Promise<void> {
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Find a page, an action or an object" });
  await expect(palette.getByRole("combobox")).toBeFocused();
  await page.keyboard.type(text);
  await expect(palette.getByRole("option", { name: result }).first()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(palette).toBeHidden();
}

/** isFocusMarked reports whether the focus is visible. A grid marks its active row, and a card of options itself. */
export function isFocusMarked(page: Page): Promise<boolean> {
  return focusOf(page).then(({ isMarked }) => isMarked);
}

type Focus = { on: string; isMarked: boolean; isInView: boolean };

function focusOf(page: Page): Promise<Focus> {
  return page.evaluate(() => {
    const active = document.activeElement as HTMLElement | null;
    if (!active || active === document.body) return { on: "nothing", isMarked: false, isInView: false };
    const isRing = (each: Element | null) => {
      if (!each) return false;
      const style = getComputedStyle(each);
      return (style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none";
    };
    const marked = [
      active,
      active.querySelector("[data-active]"),
      active.closest("label, [class*='has-focus-visible'], search, fieldset"),
      active.parentElement,
    ];
    const { top, bottom, left, right } = active.getBoundingClientRect();
    return {
      on: `${active.tagName.toLowerCase()} ${(active.getAttribute("aria-label") ?? active.textContent ?? "").trim().slice(0, 40)}`,
      isMarked: marked.some(isRing),
      isInView: bottom > 0 && right > 0 && top < innerHeight && left < innerWidth,
    };
  });
}
