import { expect, test } from "../support/test.ts";

test("the overview follows the CPU of the local agent without a reload", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
  const chart = page.getByRole("region", { name: "CPU" });
  await expect(chart.locator("svg path[data-line]").first()).toBeVisible({ timeout: 30_000 });
  const slider = chart.getByRole("slider", { name: "Moment in CPU" });
  const before = await slider.getAttribute("aria-valuetext");
  await page.evaluate(() => Object.assign(window, { notReloaded: true }));
  await expect(slider).not.toHaveAttribute("aria-valuetext", before ?? "", { timeout: 15_000 });
  // The value is a recent sample, not just an axis that moves without data.
  await expect(slider).toHaveAttribute("aria-valuetext", /all \d/);
  expect(await page.evaluate(() => "notReloaded" in window)).toBe(true);
});

test("the overview shows the age of its values, and the age ticks", async ({ page }) => {
  await page.goto("/");
  await expect(page.locator("main dl").first().getByText("Nodes reporting")).toBeVisible();
  const sentence = page.getByText(/As of (\d+ s|just now)/);
  await expect(sentence).toBeVisible();
  const age = sentence.locator("time");
  const before = (await age.textContent()) ?? "";
  await expect(age).not.toHaveText(before);
});

test("every live value of a node shows its age", async ({ page }) => {
  await page.goto("/nodes");
  const row = page.getByRole("grid", { name: "Nodes" }).getByRole("row").nth(1);
  await expect(row.locator("time").first()).toHaveText(/^\d+ (ms|s) ago$|^just now/);
  await row.getByRole("link").first().click();
  await expect(page.getByRole("region", { name: "Measured" })).toBeVisible();
  const figures = page.locator("main dl").first();
  for (const label of ["CPU", "Memory", "Load per core"]) {
    const figure = figures.locator("div").filter({ has: page.getByText(label, { exact: true }) });
    await expect(figure.locator("time")).toHaveText(/ago/);
  }
  const time = figures.locator("time").first();
  const reportedAt = await time.getAttribute("datetime");
  await expect(time).not.toHaveAttribute("datetime", reportedAt ?? "");
});

test("the next steps of a new installation open their dialogs", async ({ page }) => {
  await page.goto("/nodes?add=true");
  await expect(page.getByRole("dialog", { name: "Add node" })).toBeVisible();
  await page.goto("/");
  const steps = page.getByRole("region", { name: "Next steps" });
  await steps.getByRole("link", { name: "Add node" }).click();
  await expect(page.getByRole("dialog", { name: "Add node" })).toBeVisible();
});
