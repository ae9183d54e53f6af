import type { Page } from "@playwright/test";
import { everywhere } from "../support/accessibility.ts";
import { startLab } from "../support/lab.ts";
import { create, remove } from "../support/rest.ts";
import { desktop, mostScreens, screensOf } from "../support/screens.ts";
import { showTab } from "../support/show-tab.ts";
import { expect, test } from "../support/test.ts";

test("an exposure in a lab shows the metrics of its replicas, and so do its load balancer and its nodes", async ({
  page,
  request,
}) => {
  test.setTimeout(480_000);
  const lab = await startLab(request, "e");
  try {
    const exposure = await create<{ id: string; strategy: object }>(request, "exposures", {
      clusterId: lab.clusterId,
      name: "web",
      workload: { namespace: "default", kind: "deployment", name: "web" },
      ports: [{ port: 80, protocol: "tcp" }],
      healthCheck: { type: "http", path: "/healthz", intervalMs: 500 },
      strategy: { type: "ecmp", replicas: 2, poolId: lab.poolId },
    });
    await page.goto(`/exposures/${exposure.id}`);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Serving", { timeout: 60_000 });
    await showTab(page, "Backends");
    await expect(rows(page.getByRole("table", { name: "Backends" }), "Up")).toHaveCount(3);
    await showTab(page, "Traffic");
    await expectLines(page, "Throughput", ["all replicas", "node-1", "node-2"]);
    await expectLines(page, "New connections", ["all replicas", "node-1", "node-2"]);
    await expectLines(page, "Connection set-up", ["node-1 median", "node-2 99th percentile"], 4);
    await expectLines(page, "First byte", ["node-1 99th percentile", "node-2 median"], 4);
    await expectLines(page, "Throughput by backend", ["all backends", "web-1", "web-2", "web-3"]);
    await expectLines(page, "First byte by backend", ["web-1", "web-2", "web-3"]);
    const usual = page.viewportSize();
    await page.setViewportSize(desktop);
    await expect.poll(() => screensOf(page)).toBeLessThanOrEqual(mostScreens);
    if (usual) await page.setViewportSize(usual);

    lab.fault("freeze web-1");
    await showTab(page, "Events");
    const events = page.getByRole("region", { name: "Events" });
    await expect(events.getByText(/web-1/).first()).toBeVisible({ timeout: 40_000 });
    await showTab(page, "Backends");
    await expect(rows(page.getByRole("table", { name: "Backends" }), "Down")).toHaveCount(1);
    await showTab(page, "Traffic");
    await expectLines(page, "Health changes", ["all replicas", "node-1", "node-2"]);
    await showTab(page, "Backends");
    lab.fault("thaw web-1");
    await expect(rows(page.getByRole("table", { name: "Backends" }), "Up")).toHaveCount(3);

    await page.getByRole("table", { name: "Load balancers" }).getByRole("link", { name: "web" }).click();
    await expect(page).toHaveURL(/\/load-balancers\/lb_/);
    const replicas = page.getByRole("table", { name: "Replicas" });
    await expect(rows(replicas, "Ready")).toHaveCount(2);
    await expect(replicas).toContainText(/(tcx|xdp|nftables|userspace) is the best/);
    await showTab(page, "Traffic");
    await expectLines(page, "Live connections", ["all replicas", "node-1", "node-2"]);
    await expect(page.getByText("replies bypass the balancer")).toBeVisible();

    const strategy = { ...exposure.strategy, delivery: "nat" };
    expect((await request.patch(`/api/v1/exposures/${exposure.id}`, { data: { strategy } })).status()).toBe(200);
    await expectLines(page, "Throughput", ["From clients", "To clients", "From, by node-1", "To, by node-2"], 6);
    await expect(page.getByText("replies bypass the balancer")).toBeHidden();

    await showTab(page, "Replicas");
    await replicas.getByRole("link", { name: "node-1" }).click();
    await expect(page).toHaveURL(/\/nodes\/node_/);
    await showTab(page, "Balancer");
    const balancer = page.getByRole("region", { name: "Balancer" });
    await expect(balancer.getByRole("table", { name: "Engines" })).toContainText(/is the best/);
    await expect(rows(balancer.getByRole("table", { name: "Load balancers on this node" }), "In use")).toHaveCount(1);
    await expectLines(page, "Throughput", ["From clients", "To clients"]);
    await expect(balancer.getByRole("heading", { name: "Dropped" })).toBeVisible();
    await everywhere(page);
    await remove(request, "exposures", exposure.id);
    // Its connections drain for a minute.
    await expect
      .poll(async () => (await request.get(`/api/v1/exposures/${exposure.id}`)).status(), { timeout: 100_000 })
      .toBe(404);
  } finally {
    await lab.stop();
  }
  await lab.forget(page);
});

const rows = (table: ReturnType<Page["getByRole"]>, text: string) => table.getByRole("row").filter({ hasText: text });

/** The legend is a table of the same values: it has the given lines, and the first value is not zero. */
async function expectLines(page: Page, chart: string, lines: string[], all = lines.length): Promise<void> {
  const legend = page.getByRole("table", { name: `${chart}: the figures of each line in the range shown` });
  await expect(legend.getByRole("rowheader")).toHaveCount(all, { timeout: 40_000 });
  for (const line of lines) await expect(legend).toContainText(line);
  await expect(legend.getByRole("row").nth(1).getByRole("cell").last()).toHaveText(/[1-9]/);
}
