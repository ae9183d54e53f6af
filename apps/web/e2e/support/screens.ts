import type { Page } from "@playwright/test";

/** What a page of an object may be long at most, on a screen of this size. */
export const mostScreens = 2;
export const desktop = { width: 1_440, height: 900 };

/** screensOf is the height of the page in screens, with the bars around its content. */
export function screensOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    const main = document.querySelector("main");
    if (!main) throw new Error("The page has no content.");
    return Number(((main.scrollHeight + innerHeight - main.clientHeight) / innerHeight).toFixed(2));
  });
}
