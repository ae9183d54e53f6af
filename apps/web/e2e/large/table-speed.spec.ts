import { expect, test } from "../support/test.ts";

// A trace takes a snapshot of the whole page at every step, and a locator by role computes the roles of its elements
// repeatedly. Both would count as time of the table.
test.use({ trace: "off" });

const times = 5;

test("ten thousand rows are interactive within two seconds, and few of them are drawn", async ({ page }) => {
  const tookMs: number[] = [];
  const to = (path: string) => page.locator(`nav[aria-label="Main"] a[href="${path}"]`).first();
  const rows = page.locator("[role=grid] [data-row]");
  await page.goto("/");
  for (let i = 0; i < times; i++) {
    await to("/").click();
    await page.locator("h1", { hasText: "Overview" }).waitFor();
    const began = Date.now();
    await to("/load-balancers").click();
    await rows.first().waitFor();
    await page.locator("[role=grid]").focus();
    await page.keyboard.press("ArrowDown");
    await page.locator("[role=grid] [aria-rowindex='3'][data-active]").waitFor();
    tookMs.push(Date.now() - began);
  }
  test.info().annotations.push({ type: "measured", description: `interactive after ${tookMs.join(", ")} ms` });
  // Browser, server and database are involved, so only elapsed time can be measured. Other programs only add to it, so
  // the fastest run is closest to the product's own time.
  expect(Math.min(...tookMs), `${tookMs.join(", ")} ms`).toBeLessThan(2_000);
  expect(Number(await page.locator("[role=grid]").getAttribute("aria-rowcount"))).toBeGreaterThan(10_000);
  expect(await rows.count()).toBeLessThan(80);
});
