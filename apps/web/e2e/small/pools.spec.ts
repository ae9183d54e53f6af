import { create, first, remove, unique } from "../support/rest.ts";
import { expect, test } from "../support/test.ts";

test("the note of an address pool is changed in its details, and found by the search", async ({ page, request }) => {
  const name = unique("noted");
  const cluster = await first(request, "clusters", "search=local");
  const pool = await create(request, "address-pools", { clusterId: cluster.id, name, prefix: "2001:db8:77::/112" });
  try {
    await page.goto(`/address-pools?peek=${pool.id}`);
    await page.getByRole("button", { name: "Edit…" }).click();
    const dialog = page.getByRole("dialog", { name: `Edit ${name}` });
    await dialog.getByLabel("Note").fill("x".repeat(201));
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByText(/200 characters at most/i)).toBeVisible();
    await dialog.getByLabel("Note").fill(`the uplink of ${name}`);
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText(`the uplink of ${name}`).first()).toBeVisible();

    await page.goto(`/address-pools?q=${encodeURIComponent(`uplink of ${name}`)}`);
    await expect(page.getByRole("grid", { name: "Address pools" }).locator("[data-row]")).toHaveCount(1);
  } finally {
    await remove(request, "address-pools", pool.id);
  }
});
