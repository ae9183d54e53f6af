import { query } from "../support/database.ts";
import { createExposure, remove, unique } from "../support/rest.ts";
import { expect, test } from "../support/test.ts";

test("an exposure that can't be created is listed after a minute with the action that fixes it, until it is gone", async ({
  page,
  request,
}) => {
  // The local cluster is one of plain machines, for which there is no driver.
  const exposure = await createExposure(request, unique("undriven"));
  const read = async () => {
    const answer = await request.get(`/api/v1/exposures/${exposure.id}`);
    return JSON.stringify(((await answer.json()) as { conditions: unknown }).conditions);
  };
  await expect.poll(read, { timeout: 20_000 }).toContain("NoDriver");

  await page.goto("/");
  const region = page.getByRole("region", { name: "Needs attention" });
  const row = region.getByRole("listitem").filter({ hasText: exposure.name });
  await expect(region).toContainText(/All clear|for \d/);
  await expect(row).toHaveCount(0);

  await query(
    `UPDATE exposure_status SET conditions = (
       SELECT jsonb_agg(condition || jsonb_build_object('changedAt', now() - interval '2 minutes')) FROM jsonb_array_elements(conditions) condition
     ) WHERE exposure_id = $1`,
    [exposure.id],
  );
  // Nothing changed that the stream reports: the page finds out by itself.
  await expect(row).toContainText("Problem: No driver", { timeout: 15_000 });
  await expect(row).toContainText("exposure in local");
  await expect(row).toContainText(/for 2 min/);
  await expect(row).toContainText("has no driver for the strategy ecmp");
  await expect(row.getByRole("link", { name: exposure.name, exact: true })).toHaveAttribute(
    "href",
    `/exposures/${exposure.id}`,
  );
  await expect(page.getByText(/^\d+ exposures? ha(s|ve) no driver.* As of/)).toBeVisible();
  await expect(page.getByText("Everything serves")).toHaveCount(0);

  await row.getByRole("link", { name: `Replace exposure: ${exposure.name}` }).click();
  await expect(page).toHaveURL(new RegExp(`/exposures/new\\?from=${exposure.id}$`));
  await expect(page.getByLabel("Workload name")).toHaveValue(/./);
  await page.goto("/");
  await expect(row).toHaveCount(1);
  await remove(request, "exposures", exposure.id);
  await expect(row).toHaveCount(0, { timeout: 15_000 });
});
