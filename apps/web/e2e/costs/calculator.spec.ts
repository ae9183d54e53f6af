import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../support/test.ts";

const signedOut = { cookies: [], origins: [] };
const seed = "25 Mbit/s through a classic balancer";
const advice = (page: Page) => page.getByRole("region", { name: "Recommendation" });
const proven = (page: Page) => page.getByRole("article", { name: "Cheapest proven" });
const options = (page: Page) => page.getByRole("table", { name: "Every option" });
const beside = (page: Page) => page.getByRole("region", { name: "Side by side" });

test.describe("signed out", () => {
  test.use({ storageState: signedOut });

  test("a first-time user gets a recommendation after the first of three interactions, and refines it with the others", async ({
    page,
  }) => {
    await page.goto("/calculator");
    await page.getByRole("button", { name: "A small web shop" }).click();
    await expect(proven(page)).toContainText(/\$[\d.,]+ per month/);
    await expect(proven(page).getByRole("listitem").first()).not.toBeEmpty();
    await page.getByRole("textbox", { name: "On average, Mbit/s" }).fill("12");
    await page.getByRole("button", { name: "Static address" }).click();
    await expect(page).toHaveURL(/averageMbps=12.*constraints=static-ip/);
    await expect(proven(page)).toContainText(/per month|No option|None of/);
  });

  test("the first example shows that data through a classic balancer costs nine cents an hour", async ({ page }) => {
    await page.goto("/calculator");
    await page.getByRole("button", { name: seed }).click();
    const bill = beside(page).getByRole("table", { name: /Classic Load Balancer/ });
    const data = bill.getByRole("row").filter({ hasText: "11.25 GB" });
    await expect(data).toContainText("× $0.008");
    await expect(data.getByRole("cell")).toHaveText("$0.09");
    // More than self-hosted machines for the same traffic.
    const machines = beside(page)
      .getByRole("table", { name: /HAProxy/ })
      .locator("tfoot")
      .getByRole("cell");
    expect(await amount(machines)).toBeLessThan(0.09);
  });

  test("a shared link shows the same costs to the cent", async ({ page, browser }) => {
    await page.goto("/calculator");
    await page.getByRole("button", { name: "A busy API with TLS" }).click();
    await page.getByRole("textbox", { name: "Peak, Mbit/s" }).fill("1337");
    await page.getByRole("combobox", { name: "Balancers" }).selectOption("per-replica");
    await options(page).getByRole("checkbox").first().check();
    await expect(page).toHaveURL(/peakMbps=1337.*exposedAs=per-replica.*compare=/);
    const context = await browser.newContext({ storageState: signedOut });
    const other = await context.newPage();
    await other.goto(page.url());
    await expect(other.getByRole("textbox", { name: "Peak, Mbit/s" })).toHaveValue("1337");
    await expect(beside(other)).toBeVisible();
    expect(await options(other).innerText()).toBe(await options(page).innerText());
    expect(await beside(other).innerText()).toBe(await beside(page).innerText());
    expect(await other.locator("#advice").innerText()).toBe(await page.locator("#advice").innerText());
    await context.close();
  });

  test("no balancer is the first option, and both recommended options are pinned below it", async ({ page }) => {
    await page.goto("/calculator?averageMbps=25&providers=aws&regions=us-east-1");
    const rows = options(page).getByRole("row");
    await expect(rows.nth(1)).toContainText("No balancer");
    await expect(rows.nth(1)).toContainText("Unknown");
    await expect(rows.nth(2)).toContainText("Cheapest proven");
    await expect(rows.nth(2)).toContainText("1=");
    await expect(rows.nth(3)).toContainText("Cheapest likely");
    await page.getByRole("button", { name: "60 Mbit/s" }).click();
    await expect(rows.nth(1)).toContainText("Proven");
    await expect(page.getByRole("article", { name: "No balancer" })).toContainText("One backend carries 60 Mbit/s");
    await expect(page.getByRole("textbox", { name: "Capacity of one, Mbit/s" })).toHaveValue("60");
  });

  test("options can be filtered by grade, and a link keeps the filter", async ({ page }) => {
    await page.goto("/calculator?averageMbps=8&protocol=http&grades=likely");
    const table = options(page);
    await expect(table.getByRole("row").filter({ hasText: "Likely" }).first()).toBeVisible();
    // Only no balancer.
    await expect(table.getByRole("row").filter({ hasText: "Unknown" })).toHaveCount(1);
    await page.getByRole("button", { name: "Filter by Grade: Likely" }).click();
    await page.getByRole("checkbox", { name: "Unknown" }).check();
    await expect(page).toHaveURL(/grades=likely,unknown/);
    await expect(table.getByRole("row").filter({ hasText: "Unknown" }).nth(1)).toBeVisible();
  });

  test("the quick form has traffic, TLS and place, and counts the settings that it hides", async ({ page }) => {
    await page.goto("/calculator?averageMbps=25");
    await expect(page.getByRole("textbox", { name: "On average, Mbit/s" })).toBeVisible();
    await expect(page.getByRole("combobox", { name: "TLS" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Filter by Regions" })).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Replicas" })).toBeHidden();
    await page.getByRole("button", { name: "Detailed" }).click();
    await page.getByRole("textbox", { name: "Replicas" }).fill("3");
    await page.getByRole("button", { name: "Quick" }).click();
    await expect(page.getByText("1 more setting in Detailed.")).toBeVisible();
  });

  test("sources are closed at first, and each price has its date", async ({ page }) => {
    await page.goto("/calculator?averageMbps=25&providers=aws&regions=us-east-1");
    await expect(proven(page).getByRole("link")).toHaveCount(0);
    await proven(page).getByText("Sources").click();
    await expect(proven(page).getByRole("link").first()).toBeVisible();
    await expect(page.getByText("Prices from 2024-07-01 to 2026-09-20.", { exact: true })).toBeVisible();
    await expect(
      options(page).getByRole("button", { name: /Network Load Balancer.*2024-07-01, older than a year/ }),
    ).toBeVisible();
  });

  test("a contradiction is reported at its field, with the message of the schema", async ({ page }) => {
    await page.goto("/calculator?averageMbps=25&peakMbps=5");
    const peak = page.getByRole("textbox", { name: "Peak, Mbit/s" });
    await expect(peak).toHaveAttribute("aria-invalid", "true");
    await expect(peak).toHaveAccessibleDescription(/peak can't be below the average of 25 Mbit\/s/);
    await peak.fill("50");
    await expect(advice(page)).toBeVisible();
    await expect(peak).not.toHaveAttribute("aria-invalid");
  });

  test("the calculator works by keyboard, and announces the recommendation", async ({ page }) => {
    await page.goto("/calculator");
    await tabTo(page, page.getByRole("button", { name: seed }));
    await page.keyboard.press("Enter");
    await expect(page.getByRole("status").filter({ hasText: /^Cheapest proven: .* per month\.$/ })).toBeAttached();
    await expect(page.getByRole("button", { name: seed })).toBeFocused();
    await tabTo(page, page.getByRole("textbox", { name: "On average, Mbit/s" }));
    await page.keyboard.press("End");
    await page.keyboard.type("0");
    await expect(page).toHaveURL(/averageMbps=250/);
    const nlb = options(page).getByRole("checkbox", { name: /Network Load Balancer/ });
    await expect(nlb).toBeChecked();
    await tabTo(page, nlb);
    await page.keyboard.press("Space");
    await expect(beside(page).getByRole("heading", { name: "Network Load Balancer" })).toHaveCount(0);
    const sources = options(page)
      .getByRole("button", { name: /^Prices of/ })
      .first();
    await tabTo(page, sources);
    await page.keyboard.press("Enter");
    await expect(
      page
        .getByRole("dialog", { name: /^Prices of/ })
        .getByRole("link")
        .first(),
    ).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(sources).toBeFocused();
  });

  test("the chart over traffic is also available as text and as a table", async ({ page }) => {
    await page.goto("/calculator?averageMbps=25&providers=aws,oracle&regions=us-east-1,na-eu-uk");
    const chart = page.getByRole("region", { name: "As traffic grows" });
    await expect(chart.locator("svg path.recharts-line-curve").first()).toBeVisible();
    await expect(chart.getByRole("list", { name: "Break-even" }).getByRole("listitem").first()).toContainText(
      /From .*bit\/s on average/,
    );
    await chart.getByText("Show as a table").click();
    const table = chart.getByRole("table", { name: "Monthly cost by average traffic" });
    expect(await table.getByRole("row").count()).toBeGreaterThan(5);
  });

  test("the print view shows inputs and results, dark on white, without the form", async ({ page }) => {
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto("/calculator?averageMbps=25&providers=aws&regions=us-east-1");
    await expect(page.locator("svg path.recharts-line-curve").first()).toBeVisible();
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await expect(page.getByRole("form", { name: "Your traffic" })).toBeHidden();
    await expect(page.getByRole("link", { name: "Sign in" })).toBeHidden();
    await expect(page.getByText("25 Mbit/s on average", { exact: false }).first()).toBeVisible();
    await expect(advice(page)).toBeVisible();
    await expect(page.locator("svg path.recharts-line-curve").first()).toBeVisible();
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(252, 252, 253)");
    expect((await page.pdf()).subarray(0, 5).toString()).toBe("%PDF-");
  });

  test("the result can be exported as CSV and as JSON", async ({ page }) => {
    await page.goto("/calculator?averageMbps=25&providers=aws&regions=us-east-1");
    const csv = await exported(page, "As CSV");
    expect(csv).toMatch(/^offer,provider,product,region,fits,grade,currency,month,hour,/);
    expect(csv).toMatch(/^aws-clb,aws,/m);
    const json = JSON.parse(await exported(page, "As JSON")) as { request: unknown; options: { offerId: string }[] };
    expect(json.options.map(({ offerId }) => offerId)).toContain("aws-clb");
  });

  test("the sign-in link keeps the inputs", async ({ page }) => {
    await page.goto("/calculator?averageMbps=25");
    await expect(page.getByRole("link", { name: "Sign in" })).toHaveAttribute(
      "href",
      `/sign-in?returnTo=${encodeURIComponent("/costs?averageMbps=25")}`,
    );
  });
});

test("the console has the calculator under Costs, with the same result as the API", async ({ page, request }) => {
  await page.goto("/");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Costs" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Load balancer costs" })).toBeVisible();
  await page.getByRole("textbox", { name: "On average, Mbit/s" }).fill("40");
  await expect(advice(page)).toBeVisible();
  const answer = await request.post("/api/v1/cost/estimate", { data: { profile: { averageMbps: 40 } } });
  const { advice: advised, options: all } = (await answer.json()) as {
    advice: { proven: { offerId: string; region: string } };
    options: { offerId: string; region: string; product: string; monthlyMicros: number }[];
  };
  const best = all.find(
    ({ offerId, region }) => offerId === advised.proven.offerId && region === advised.proven.region,
  );
  await expect(proven(page)).toContainText(best?.product ?? "no product");
  await expect(proven(page)).toContainText(`$${((best?.monthlyMicros ?? 0) / 1e6).toFixed(2)}`);
});

async function amount(cell: Locator): Promise<number> {
  return Number((await cell.innerText()).replace(/[$,]/g, ""));
}

async function exported(page: Page, item: string): Promise<string> {
  await page.getByRole("button", { name: "Export" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: item }).click(),
  ]);
  return readFileSync(await download.path(), "utf8");
}

const maxTabs = 120;

/** tabTo moves focus to the target with the Tab key. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let i = 0; i < maxTabs; i++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  await expect(target).toBeFocused();
}
