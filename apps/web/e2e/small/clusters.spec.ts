import { everywhere } from "../support/accessibility.ts";
import { query } from "../support/database.ts";
import { leave } from "../support/leave.ts";
import { create, createExposure, ensurePool, remove, unique } from "../support/rest.ts";
import { showTab } from "../support/show-tab.ts";
import { expect, test } from "../support/test.ts";

test.use({ allowedProblems: /status of 422 .*exposure\.update/ });

test("an exposure that spans clusters shows its shares, and the form states why a cluster can't be added", async ({
  page,
  request,
}) => {
  const lab = (name: string) => create(request, "clusters", { name: unique(name), kind: "lab" });
  const [own, west, east] = [await lab("own"), await lab("west"), await lab("east")];
  const pool = await ensurePool(request, own);
  const { id } = await createExposure(request, unique("shop"), own);

  await test.step("a cluster without routing is refused at its field", async () => {
    await page.goto(`/exposures/${id}/edit`);
    await page.getByRole("button", { name: "Add cluster" }).click();
    await page.getByLabel("Other cluster", { exact: true }).selectOption(east.id);
    await page.getByLabel("Share, %").fill("101");
    await page.getByLabel("Share, %").blur();
    await expect(page.getByText("Enter a whole number of percent between 0 and 100.")).toBeVisible();
    await page.getByLabel("Share, %").fill("20");
    await expect(page.getByText(`${own.name} gets 80 %.`)).toBeVisible();
    await expect(page.getByRole("region", { name: "Preview" })).toContainText(`in each of ${own.name}, ${east.name}.`);
    await everywhere(page, "main");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText(`${own.name} announces nothing by BGP: configure its routing.`).first()).toBeVisible();
  });

  await test.step("the page compares requested shares with those at routers", async () => {
    // As the control plane stores it with agents in both clusters, which this product doesn't have.
    const placements = [
      { clusterId: own.id, share: 80 },
      { clusterId: west.id, share: 20 },
    ];
    await query("UPDATE exposure SET placements = $2::jsonb WHERE id = $1", [id, JSON.stringify(placements)]);
    await query(
      `INSERT INTO load_balancer (id, organization_id, cluster_id, exposure_id, name, kind, address_of_id, updated_at)
       SELECT 'lb_' || right($2, 26), organization_id, $2, exposure_id, name || '-west', kind, id, now() FROM load_balancer WHERE exposure_id = $1`,
      [id, west.id],
    );
    await page.goto(`/exposures/${id}`);
    await showTab(page, "Routing");
    const rows = page.getByRole("table", { name: "Clusters" }).getByRole("row");
    await expect(rows).toHaveCount(3);
    await expect(rows.nth(1)).toContainText(own.name);
    await expect(rows.nth(1)).toContainText("80 %");
    await expect(rows.nth(2)).toContainText(west.name);
    await expect(rows.nth(2)).toContainText("20 %");
    await expect(rows.nth(2)).toContainText("not reported");
    await everywhere(page, "main");
  });

  await test.step("the form shows what is stored, and removes it", async () => {
    await page.goto(`/exposures/${id}/edit`);
    await expect(page.getByLabel("Other cluster", { exact: true })).toHaveValue(west.id);
    await expect(page.getByLabel("Share, %")).toHaveValue("20");
    await page.getByRole("button", { name: "Remove cluster 1" }).click();
    await expect(page.getByRole("region", { name: "Preview" })).toContainText(`in ${own.name}.`);
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page).toHaveURL(new RegExp(`/exposures/${id}$`));
    await expect
      .poll(async () => {
        const { clusters } = (await (await request.get(`/api/v1/exposures/${id}`)).json()) as { clusters: object[] };
        return clusters.length;
      })
      .toBe(0);
  });

  await leave(page);
  await remove(request, "exposures", id);
  await expect.poll(async () => (await request.get(`/api/v1/exposures/${id}`)).status()).toBe(404);
  await remove(request, "address-pools", pool.id);
  for (const each of [own, west, east]) await remove(request, "clusters", each.id);
});
