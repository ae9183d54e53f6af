import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** A theme changes only colours, so it can break only these rules. */
const rulesOfColours = ["color-contrast", "link-in-text-block"];
export const desktop = { width: 1_280, height: 800 };
export const phone = { width: 390, height: 844 };

/** Checks light, dark, and a phone, where nothing may be wider than the screen. In the layout only the content scrolls. */
export async function everywhere(page: Page, part = "html"): Promise<void> {
  const usual = page.viewportSize();
  await violationsIn(page, "light", part);
  await violationsIn(page, "dark", part);
  const behind = await page.evaluate(() => {
    const { scrollHeight, clientHeight } = document.documentElement;
    return document.querySelector("#main") ? scrollHeight - clientHeight : 0;
  });
  expect(behind, "pixels to scroll behind the frame").toBe(0);
  await page.setViewportSize(phone);
  await violationsIn(page, "light", part);
  const wide = await page.evaluate(() => {
    const holders = [document.documentElement, ...document.querySelectorAll("main, [role=grid], [role=dialog]")];
    return holders
      .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1)
      .map((each) => `${each.tagName.toLowerCase()} ${each.scrollWidth} > ${each.clientWidth}`);
  });
  expect(wide, "wider than a phone").toEqual([]);
  if (usual) await page.setViewportSize(usual);
}

export async function violationsIn(page: Page, colorScheme: "light" | "dark", part = "html"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
  // Waits for transitions, because their colours are temporary. Endless animations, such as spinners, are ignored.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every((each) => each.playState !== "running" || each.effect?.getComputedTiming().endTime === Infinity),
  );
  // In its legacy mode axe leaves out frames of other sites, of which no page has one. It takes a third of the time,
  // because axe isn't loaded into a second page to put the results together.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ["violations"] });
  const rules = colorScheme === "dark" ? axe.withRules(rulesOfColours) : axe.withTags(tags);
  const { violations } = await rules.include(part).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(" | ")}`);
  expect(found, `violations in ${colorScheme}`).toEqual([]);
}
