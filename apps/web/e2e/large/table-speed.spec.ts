import { expect, test } from "../support/test.ts";

// A trace takes a picture of the whole page at every step, and finding by role computes roles inside of it over and
// over: both would be counted as the table's own time.
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
  // Browser, server and database take part, so only a clock tells. Other programs make it show more and never less:
  // the fastest time is the product's own.
  expect(Math.min(...tookMs), `${tookMs.join(", ")} ms`).toBeLessThan(2_000);
  expect(Number(await page.locator("[role=grid]").getAttribute("aria-rowcount"))).toBeGreaterThan(10_000);
  expect(await rows.count()).toBeLessThan(80);
});
