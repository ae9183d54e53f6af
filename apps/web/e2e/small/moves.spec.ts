import { everywhere } from "../support/accessibility.ts";
import { query } from "../support/database.ts";
import { leave } from "../support/leave.ts";
import { create, createExposure, ensurePool, remove, unique } from "../support/rest.ts";
import { expect, test } from "../support/test.ts";

test.use({ allowedProblems: /status of 422 .*move\.(preview|start)/ });

test("an exposure is moved from its page: the form states why a target is refused, and the panel follows the move", async ({
  page,
  request,
}) => {
  const lab = (name: string) => create(request, "clusters", { name: unique(name), kind: "lab" });
  const [own, west] = [await lab("own"), await lab("west")];
  const pool = await ensurePool(request, own);
  const { id } = await createExposure(request, unique("shop"), own);

  await test.step("a target without routing is refused at its field", async () => {
    await page.goto(`/exposures/${id}`);
    await page.getByRole("button", { name: "Move", exact: true }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Target cluster").selectOption(west.id);
    await form.getByLabel("Steps, %").fill("50, 25, 100");
    await form.getByRole("button", { name: "Start move" }).click();
    await expect(form.getByText(/25 % after 50 % is no step forward/i).first()).toBeVisible();
    await form.getByLabel("Steps, %").fill("25, 100");
    await expect(form.getByRole("region", { name: "Preview" })).toContainText("announces nothing by BGP");
    await everywhere(page, "[role=dialog]");
    await form.getByRole("button", { name: "Start move" }).click();
    await expect(form.getByText(`${own.name} announces nothing by BGP: configure its routing.`).first()).toBeVisible();
    await form.getByRole("button", { name: "Cancel" }).click();
  });

  await test.step("the controller continues a move, and the page pauses it", async () => {
    // As it is stored with agents in both clusters, which this product doesn't have.
    await query(
      `INSERT INTO move (id, organization_id, exposure_id, from_cluster_id, from_cluster_name, to_cluster_id, to_cluster_name, steps,
         watch_seconds, gates, before, state, reason, started_by, started_at)
       SELECT 'mov_' || right(id, 26), organization_id, id, cluster_id, $2, $3, $4, '{5,100}', 60,
         '{"minBackendsUp": 1, "maxErrorPercent": 1, "maxLatencyMsP99": 1000, "maxCpuPercent": 85}',
         jsonb_build_object('clusterId', cluster_id, 'workload', workload, 'placements', placements), 'paused', 'Test paused it.', 'Test', now()
       FROM exposure WHERE id = $1`,
      [id, own.name, west.id, west.name],
    );
    await page.reload();
    const panel = page.getByRole("region", { name: `Move to ${west.name}` });
    await expect(panel.getByRole("status")).toContainText(`Paused: ${west.name} has 0 %`);
    await panel.getByRole("button", { name: "Resume move" }).click();
    await expect(panel.getByRole("status")).toContainText(
      `Watching, step 1 of 2: ${west.name} has 5 %, ${own.name} 95 %`,
    );
    await expect(panel.getByRole("table", { name: "Gates" })).toContainText("0 backends are up of at least 1");
    await expect(panel.getByRole("table", { name: "Shares over time" })).toContainText("gets 5 % of new connections");
    const { placements } = (await (await request.get(`/api/v1/exposures/${id}`)).json()) as { placements: object[] };
    expect(placements).toEqual([
      { clusterId: own.id, share: 95 },
      { clusterId: west.id, share: 5 },
    ]);
    await panel.getByRole("button", { name: "Pause move" }).click();
    await expect(panel.getByRole("status")).toContainText("Paused, step 1 of 2");
    await everywhere(page, "main");
  });

  await leave(page);
  await remove(request, "exposures", id);
  await expect.poll(async () => (await request.get(`/api/v1/exposures/${id}`)).status()).toBe(404);
  await remove(request, "address-pools", pool.id);
  for (const each of [own, west]) await remove(request, "clusters", each.id);
});
