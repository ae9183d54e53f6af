import type { Locator, Page } from "@playwright/test";
import { query } from "../support/database.ts";
import { remove, unique } from "../support/rest.ts";
import { expect, test } from "../support/test.ts";

const section = (page: Page, name: string) => page.getByRole("region", { name });
const options = (page: Page) => page.getByRole("table", { name: "Every option" });

async function fill(dialog: Locator, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label, { exact: true }).fill(value);
}

test.afterEach(async ({ request }) => {
  for (const kind of ["machines", "prices", "rates"]) {
    const answer = await request.get(`/api/v1/cost/price-book/${kind}?limit=200`);
    const { items } = (await answer.json()) as { items: { id: string }[] };
    for (const { id } of items) await remove(request, `cost/price-book/${kind}`, id);
  }
});

test("an own machine is in the calculator with its cost of ownership, once there is a currency rate", async ({
  page,
}) => {
  const name = unique("rack");
  await page.goto("/costs");
  await page.getByRole("link", { name: "Price book" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Price book" })).toBeVisible();
  const machines = section(page, "Your own machines");
  await expect(machines).toContainText("No machines.");
  await machines.getByRole("button", { name: "Add machine" }).click();
  const dialog = page.getByRole("dialog", { name: "Add machine" });
  await fill(dialog, { Name: name, Cores: "8", "Network, Mbit/s": "10000", "Price, EUR": "3600" });
  await fill(dialog, {
    "Power draw, watts": "150",
    "Price per kWh, EUR": "0.30",
    "Rack and uplink per month, EUR": "60",
  });
  await fill(dialog, { "Hours per month": "4", "Cost per hour, EUR": "80", "Share of hours": "2" });
  await dialog.getByRole("button", { name: "Add machine" }).click();
  const share = dialog.getByLabel("Share of hours");
  await expect(share).toHaveAccessibleDescription(/Enter at most 1/);
  await share.fill("0.25");
  await expect(dialog).toContainText("€264.28 per month: €75.00 purchase, €49.28 power, €60.00 hosting, €80.00 staff");
  await dialog.getByRole("button", { name: "Add machine" }).click();
  await expect(dialog).toBeHidden();
  await expect(machines.getByRole("row", { name: new RegExp(name) })).toContainText("€264.28");

  await page.goto("/costs?averageMbps=300&providers=own");
  await expect(page.getByText("add a rate from EUR to USD").first()).toBeVisible();

  await page.goto("/costs/price-book");
  await section(page, "Currency rates").getByRole("button", { name: "Add rate" }).click();
  const rate = page.getByRole("dialog", { name: "Add rate" });
  await fill(rate, { Rate: "1.10", "Valid from": "2026-01-01" });
  await rate.getByRole("button", { name: "Add rate" }).click();
  await expect(section(page, "Currency rates")).toContainText("1 EUR = 1.1 USD");

  // Two of them, at 1.10 dollars a euro.
  await page.goto("/costs?averageMbps=300&providers=own");
  const row = options(page).getByRole("row", { name: new RegExp(`Fairlead on ${name}`) });
  await expect(row).toContainText("$581.41");
  await page.goto("/calculator?averageMbps=300");
  await expect(page.getByText(name)).toHaveCount(0);
});

test("a negotiated price applies to members, and only items with a list price can be selected", async ({
  page,
  request,
}) => {
  await page.goto("/costs/price-book");
  const prices = section(page, "Negotiated prices");
  await prices.getByRole("button", { name: "Add price" }).click();
  const dialog = page.getByRole("dialog", { name: "Add price" });
  await dialog.getByRole("button", { name: "Add price" }).click();
  await expect(dialog.getByLabel("Item")).toHaveAccessibleDescription("Enter the item's SKU");
  await dialog.getByLabel("Item").selectOption("clb");
  await expect(dialog).toContainText("$0.025 per hour in us-east-1");
  await fill(dialog, { "Discount, %": "20", "Valid from": "2026-01-01" });
  await dialog.getByRole("button", { name: "Add price" }).click();
  await expect(prices.getByRole("row", { name: /clb/ })).toContainText("20 % below list price");
  const data = { profile: { averageMbps: 0 }, providers: ["aws"], regions: ["us-east-1"] };
  const answer = await request.post("/api/v1/cost/estimate", { data });
  const { options: all, hasPriceBook } = (await answer.json()) as {
    options: { offerId: string; breakdown: { hourlyMicros: number }[] }[];
    hasPriceBook: boolean;
  };
  expect(hasPriceBook).toBe(true);
  expect(all.find(({ offerId }) => offerId === "aws-clb")?.breakdown[0]?.hourlyMicros).toBe(20_000);
});

test("a link keeps its prices after an update, and offers the newest prices", async ({ page }) => {
  const dearer = (factor: string) =>
    query(
      "UPDATE price_point SET micros = micros * $1::float8, recorded_at = now() WHERE provider = 'aws' AND sku = 'clb'",
      [factor],
    );
  const sum = () =>
    options(page)
      .getByRole("row", { name: /Classic Load Balancer/ })
      .innerText();
  await page.goto("/calculator?averageMbps=25&providers=aws&regions=us-east-1");
  await page.getByRole("textbox", { name: "On average, Mbit/s" }).fill("26");
  await expect(page).toHaveURL(/prices=20\d\d-/);
  const before = await sum();
  await dearer("2");
  try {
    await page.goto(page.url());
    await expect(page.getByText("Newer prices are available.")).toBeVisible();
    expect(await sum()).toBe(before);
    await page.getByRole("button", { name: "Use the newest prices" }).click();
    await expect(page.getByText("Newer prices are available.")).toBeHidden();
    expect(await sum()).not.toBe(before);
  } finally {
    await dearer("0.5");
  }
});

test("a link with prices that are not stored falls back to the newest prices, with a note", async ({ page }) => {
  for (const then of ["2000-01-01", "2999-01-01", "long ago"]) {
    await page.goto(`/calculator?averageMbps=25&providers=aws&regions=us-east-1&prices=${encodeURIComponent(then)}`);
    await expect(page.getByText("The prices of this link are not stored here"), then).toBeVisible();
    await expect(options(page).getByRole("row", { name: /Classic Load Balancer/ })).toContainText("$87.60");
  }
});
