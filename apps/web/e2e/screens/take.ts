import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { root } from "../support/product.ts";

const widths = [1_440, 390] as const;
const themes = ["light", "dark"] as const;
const height = 900;
/** A picture of a longer page is cut off. */
const mostHeight = 4_000;
const folder = path.join(root, ".test/screens");

export type State = "empty" | "filled" | "failing";

/** take saves pictures of the whole page, in both themes and on a wide and a narrow screen. */
export async function take(page: Page, state: State, name: string, address: string): Promise<void> {
  mkdirSync(path.join(folder, state), { recursive: true });
  for (const width of widths) {
    await page.setViewportSize({ width, height });
    await page.goto(address);
    await loaded(page);
    await page.setViewportSize({ width, height: await wholeHeight(page) });
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme });
      await page.waitForFunction((theme) => document.documentElement.dataset.theme === theme, colorScheme);
      await loaded(page);
      // Without animations, or colours would be between those of both themes.
      await page.screenshot({
        path: path.join(folder, state, `${name}-${colorScheme}-${width}.png`),
        animations: "disabled",
      });
    }
  }
}

/** Pages outside the layout of the dashboard have no live stream to wait for. */
async function loaded(page: Page): Promise<void> {
  await page.waitForLoadState("load");
  await page.waitForFunction(() => document.querySelector("main [aria-busy=true], main .skeleton") === null);
  await page.evaluate(() => document.fonts.ready);
}

/** The content scrolls inside the page, so its height must be that of the window to be seen. */
async function wholeHeight(page: Page): Promise<number> {
  const needed = await page.evaluate(() => {
    const main = document.querySelector("main");
    const inner = main ? main.scrollHeight + innerHeight - main.clientHeight : 0;
    return Math.max(inner, document.documentElement.scrollHeight);
  });
  return Math.min(mostHeight, Math.max(height, needed));
}
