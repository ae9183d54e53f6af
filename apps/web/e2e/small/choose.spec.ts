import { everywhere } from "../support/accessibility.ts";
import { create, remove, unique } from "../support/rest.ts";
import { settled } from "../support/settled.ts";
import { expect, test } from "../support/test.ts";

test("clusters are ranked by requirements, with the evidence, and again when something changes", async ({
  page,
  request,
}) => {
  const [region, other] = [unique("region"), unique("region")];
  const here = await create(request, "clusters", { name: unique("here"), kind: "lab", region });
  const there = await create(request, "clusters", { name: unique("there"), kind: "lab", region: other });
  try {
    await page.goto("/choose");
    await settled(page);
    await expect(page.getByText("No requirements", { exact: true })).toBeVisible();
    await everywhere(page);
    await page.getByRole("button", { name: "Choose" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "Mark at least one requirement" })).toBeVisible();

    await page.getByLabel("Region", { exact: true }).selectOption("required");
    await page.getByLabel("Any of, comma-separated").fill(`${region}, elsewhere`);
    await page.getByLabel("Latency, p99", { exact: true }).selectOption("preferred");
    await page.getByRole("button", { name: "Choose" }).click();
    await expect(page.getByLabel("At most, ms")).toHaveAttribute("aria-invalid", "true");
    await page.getByLabel("At most, ms").fill("20");
    await page.getByRole("button", { name: "Choose" }).click();

    await expect(page.getByRole("heading", { name: `Winner: ${here.name}` })).toBeVisible();
    const winner = page.getByRole("region", { name: here.name, exact: true });
    await expect(winner.getByText("Eligible", { exact: true })).toBeVisible();
    const row = winner.getByRole("row", { name: /^Region/ });
    await expect(row).toContainText("Met");
    await expect(row).toContainText(region);
    await expect(winner.getByRole("row", { name: /^Latency/ })).toContainText("Unknown");
    await everywhere(page);

    const moved = await request.patch(`/api/v1/clusters/${here.id}`, { data: { region: other } });
    expect(moved.status()).toBe(200);
    await expect(page.getByRole("heading", { name: "No winner" })).toBeVisible();

    await page.reload();
    await expect(page.getByLabel("Any of, comma-separated")).toHaveValue(`${region}, elsewhere`);
    await expect(page.getByRole("heading", { name: "No winner" })).toBeVisible();
  } finally {
    await remove(request, "clusters", here.id);
    await remove(request, "clusters", there.id);
  }
});
