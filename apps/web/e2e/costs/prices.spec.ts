import { newId } from "@fairlead/domain";
import type { PricePoint } from "@fairlead/domain/cost";
import { serveFeeds } from "@fairlead/drivers/prices-testing";
import { saveCsv } from "../support/csv.ts";
import { query } from "../support/database.ts";
import { ports } from "../support/product.ts";
import { settled } from "../support/settled.ts";
import { expect, test } from "../support/test.ts";

const seeded: PricePoint = {
  ...{
    provider: "linode",
    region: "any",
    sku: "nodebalancer",
    unit: "month",
    fromUnits: 0,
    micros: 10_000_000,
    per: 1,
  },
  ...{ currency: "USD", asOf: null, source: "memory", confidence: "uncertain" },
};
const updated: PricePoint = {
  ...seeded,
  micros: 14_000_000,
  asOf: "2026-11-24",
  source: "https://prices.example/list",
  confidence: "fed",
};

test("a feed can be read on demand, and its error is shown", async ({ page }) => {
  await page.goto("/costs");
  await page.getByRole("navigation", { name: "Costs" }).getByRole("link", { name: "Price refreshes" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Price refreshes" })).toBeVisible();
  await settled(page); // an earlier selection would be lost
  await page.getByLabel("Feed").selectOption("Hetzner");
  await page.getByRole("button", { name: "Read feed" }).click();
  const refreshes = page.getByRole("table", { name: "Refreshes" });
  await expect(refreshes).toContainText("set FAIRLEAD_HETZNER_PRICE_TOKEN for the controller");
  await expect(refreshes.getByRole("row").nth(1)).toContainText("Failed");
});

test("a selection before hydration counts", async ({ page }) => {
  const alive = Promise.withResolvers<void>();
  await page.route("**/_next/static/**/*.js", async (route) => {
    await alive.promise;
    await route.continue();
  });
  await page.goto("/costs/prices", { waitUntil: "commit" });
  const feed = page.getByLabel("Feed");
  await feed.selectOption("Oracle Cloud");
  alive.resolve();
  await settled(page);
  await expect(feed).toHaveValue("oracle");
  await page.getByRole("button", { name: "Read feed" }).click();
  await expect(page.getByRole("table", { name: "Refreshes" }).getByRole("row").nth(1)).toContainText("Oracle Cloud");
});

test("a value that the browser restores from an earlier visit is not a selection", async ({ page }) => {
  await page.goto("/costs/prices", { waitUntil: "load" });
  await settled(page);
  await page.getByLabel("Feed").selectOption("Oracle Cloud");
  await page.goto("/sign-in?returnTo=%2Fcosts");
  await page.goBack();
  await settled(page);
  await expect(page.getByLabel("Feed")).toHaveValue("aws");
});

test("a large price change in a feed is held, and can be rejected", async ({ page }) => {
  const feeds = await serveFeeds(ports.priceFeeds);
  feeds.edit("oracle", (text) => text.replaceAll("0.0113", "0.0226"));
  try {
    await page.goto("/costs/prices");
    await settled(page); // an earlier selection would be lost
    await page.getByLabel("Feed").selectOption("Oracle Cloud");
    await page.getByRole("button", { name: "Read feed" }).click();
    const row = page.getByRole("table", { name: "Held prices" }).getByRole("row", { name: /flexible-lb/ });
    await expect(row).toContainText("It rises by 100 % beyond 744 units, from 0.0113 to 0.0226 USD");
    await row.getByRole("button", { name: "Reject flexible-lb" }).click();
    await expect(page.getByText("No held prices.")).toBeVisible();
    await expect(page.getByRole("table", { name: "Refreshes" }).getByRole("row").nth(1)).toContainText("1 rejected");
    const { name, columns, rows } = await saveCsv(page, "Download price refreshes as CSV");
    expect(name).toBe("price-refreshes.csv");
    expect(rows[0]?.[columns.indexOf("feed")]).toBe("oracle");
  } finally {
    await feeds.stop();
  }
});

test("held prices are accepted and rejected by a user, whose name is shown", async ({ page, request }) => {
  const id = newId("priceRefresh");
  await query(
    `INSERT INTO price_refresh (id, feed, state, is_scheduled, requested_by, requested_at, started_at, ended_at, as_of, read_count)
     VALUES ($1, 'oracle', 'held', true, 'the schedule', now(), now(), now(), '2026-11-24', 2)`,
    [id],
  );
  for (const after of [[updated], []])
    await query(
      `INSERT INTO held_price (id, refresh_id, feed, price_key, provider, region, sku, unit, currency, as_of, source, before, after, reasons)
       VALUES ($1, $2, 'oracle', $1, 'linode', 'any', $3, 'month', 'USD', '2026-11-24', $4, $5, $6, $7)`,
      [
        newId("heldPrice"),
        id,
        after.length > 0 ? updated.sku : "egress",
        updated.source,
        JSON.stringify([seeded]),
        JSON.stringify(after),
        JSON.stringify([{ kind: "moved", message: "It rises by 40 %." }]),
      ],
    );
  await page.goto("/costs/prices");
  await expect(page.getByText("2 prices need a decision.")).toBeVisible();
  const held = page.getByRole("table", { name: "Held prices" });
  const row = held.getByRole("row", { name: /nodebalancer/ });
  await expect(row).toContainText("$10.00 per month");
  await expect(row).toContainText("$14.00 per month");
  await expect(row).toContainText("It rises by 40 %.");
  await row.getByRole("button", { name: "Accept nodebalancer" }).click();
  await expect(row).toContainText("Accepted");
  await held.getByRole("button", { name: "Reject egress" }).click();
  await expect(page.getByText("No held prices.")).toBeVisible();

  const prices = await request.get("/api/v1/cost/price-points?provider=linode&sku=nodebalancer&limit=10");
  const { items } = (await prices.json()) as { items: { micros: number; asOf: string | null; confidence: string }[] };
  expect(items).toContainEqual(expect.objectContaining({ micros: 14_000_000, asOf: "2026-11-24", confidence: "fed" }));
  await page.goto(`/costs/prices?refresh=${id}`);
  await expect(
    page.getByRole("table", { name: "Held prices" }).getByRole("row", { name: /nodebalancer/ }),
  ).toContainText(/Accepted\s*by /);
  // Restores the prices for later tests.
  await query("DELETE FROM price_point WHERE provider = 'linode' AND as_of = '2026-11-24'", []);
  await query("DELETE FROM price_refresh WHERE id = $1", [id]);
});
