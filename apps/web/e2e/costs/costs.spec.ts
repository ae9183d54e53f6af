import { readFile } from "node:fs/promises";
import { query } from "../support/database.ts";
import { leave } from "../support/leave.ts";
import { create, remove } from "../support/rest.ts";
import { settled } from "../support/settled.ts";
import { expect, test } from "../support/test.ts";

const name = "e2e-costs";

test("a cluster with a price basis has costs, and one without links to the missing setting", async ({
  page,
  request,
}) => {
  const cluster = await create(request, "clusters", { name, kind: "kubernetes", region: "us-east-1" });
  const exposure = await create(request, "exposures", {
    clusterId: cluster.id,
    name,
    workload: { kind: "deployment", name },
    ports: [{ port: 443 }],
    strategy: { type: "per-replica" },
    labels: { team: name },
  });
  // As the meter records a balancer that was deleted since: one hour of this month, without measurements.
  await query(
    `WITH subject AS (
      INSERT INTO usage_subject (organization_id, cluster_id, exposure_id, load_balancer_id, facts)
      SELECT c.organization_id, c.id, $2, 'lb_' || c.id, jsonb_build_object('name', c.name, 'kind', 'cloud', 'instance', 'a-0', 'address', '8.8.8.8',
        'exposureName', c.name, 'clusterName', c.name, 'clusterRegion', c.region, 'runsAs', null, 'labels', '{}'::jsonb,
        'strategy', '{"type": "per-replica", "addressing": "dedicated"}'::jsonb, 'ports', '[{"protocol": "tcp"}]'::jsonb)
      FROM cluster c WHERE c.id = $1 RETURNING id
    )
    INSERT INTO usage_hour (subject_id, hour, exists_seconds, address_seconds, replica_seconds, machine_seconds, measured_seconds)
    SELECT subject.id, greatest(floor(extract(epoch FROM now()) / 3600)::int - 1, extract(epoch FROM date_trunc('month', now(), 'UTC'))::int / 3600),
      3600, 3600, 3600, 0, 0 FROM subject`,
    [cluster.id, exposure.id],
  );
  try {
    await page.goto(`/costs/running?by=cluster&cluster=${cluster.id}`);
    const row = page.getByRole("table", { name: "Cost by cluster" }).getByRole("row").filter({ hasText: name });
    await expect(row).toContainText("unknown");
    await page.getByRole("link", { name: "Open setting" }).click();
    // Content that loads above the button moves it, and the click would miss.
    await expect(page).toHaveURL(/\/clusters\//);
    await settled(page);
    await page.getByRole("region", { name: "Runs as" }).getByRole("button", { name: "Set" }).click();
    const form = page.getByRole("dialog");
    await form.getByRole("textbox", { name: "Region" }).fill(" ");
    await form.getByRole("button", { name: "Save" }).click();
    await expect(form.getByRole("textbox", { name: "Region" })).toHaveAccessibleDescription(/enter a region/i);
    await form.getByRole("textbox", { name: "Region" }).fill("us-east-1");
    await form.getByRole("button", { name: "Save" }).click();
    await expect(form).toBeHidden();
    await page.getByRole("link", { name: "View cost" }).click();
    await expect(page.getByText("minimum: some costs are unknown", { exact: true })).toBeVisible();
    await expect(page.getByText(/Hours without measured traffic/)).toBeVisible();
    const saved = async (format: string) => {
      await page.getByRole("button", { name: "Export" }).click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("menuitem", { name: format, exact: true }).click(),
      ]);
      const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
      return { name: download.suggestedFilename(), lines };
    };
    const csv = await saved("As CSV");
    expect(csv.name).toMatch(/^costs-org_\w+-[\d-]+\.csv$/);
    expect(csv.lines[0]).toContain("load_balancer_id,load_balancer,exposure_id,exposure,cluster_id,cluster,");
    expect(csv.lines.slice(1)).toEqual([expect.stringContaining(cluster.id)]);
    const focus = await saved("As FOCUS 1.2");
    expect(focus.name).toMatch(/^costs-focus-org_\w+-[\d-]+\.csv$/);
    expect(focus.lines[0]).toMatch(/^BilledCost,BillingAccountId,/);
    expect(focus.lines.length).toBeGreaterThan(1);
    for (const line of focus.lines.slice(1)) expect(line).toContain(`,${cluster.id},${name},`);
    await page.goto(`/exposures/${exposure.id}?tab=costs`);
    await expect(page.getByRole("region", { name: /Cost comparison/ })).toContainText("No traffic was measured");
  } finally {
    await leave(page);
    await remove(request, "exposures", exposure.id);
    await remove(request, "clusters", cluster.id).catch(() => undefined);
    await query("DELETE FROM usage_subject WHERE cluster_id = $1", [cluster.id]);
  }
});
