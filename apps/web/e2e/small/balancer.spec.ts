import type { Page } from "@playwright/test";
import { chooseLocalCluster } from "../support/forms.ts";
import { startLab } from "../support/lab.ts";
import { create, createExposure, ensurePool, remove, unique } from "../support/rest.ts";
import { expect, test } from "../support/test.ts";

test("how instances are checked and packets go is asked for behind Advanced, refused at its fields, and changed later", async ({
  page,
  request,
}) => {
  await ensurePool(request);
  const name = unique("checked");
  await page.goto("/exposures/new");
  await chooseLocalCluster(page);
  await page.getByLabel("Name", { exact: true }).first().fill(name);
  await page.getByLabel("Workload name").fill("web");
  await page.getByLabel("Port", { exact: true }).fill("80");
  await page.getByLabel(/^Target/).fill("8080");
  await expect(page.getByText("Health check: a TCP connection every second")).toBeVisible();
  await expect(page.getByLabel("Health check")).toBeHidden();

  await page.getByText("Advanced").click();
  await page.getByLabel("Health check").selectOption("http");
  await page.getByLabel("Path").fill("healthz");
  await page.getByLabel("Ask every, ms").fill("5");
  await page.getByRole("radio", { name: "xdp" }).check();
  await page.getByRole("button", { name: "Create exposure" }).click();
  await expect(page.getByLabel("Path")).toHaveAccessibleDescription(/begins with a slash/);
  await expect(page.getByLabel("Ask every, ms")).toHaveAccessibleDescription(/between 100 and 300000/);
  await expect(page.getByRole("radio", { name: "xdp" })).toHaveAccessibleDescription(/80 → 8080 is not possible/);

  await page.getByLabel("Path").fill("/healthz");
  await page.getByLabel("Ask every, ms").fill("500");
  await page.getByRole("radio", { name: "tcx" }).check();
  await page.getByRole("button", { name: "Create exposure" }).click();
  await expect(page).toHaveURL(/\/exposures\/exp_/);
  await expect(page.getByText("HTTP /healthz, every 500 ms; up after 2, down after 3 in a row")).toBeVisible();
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  expect(await (await request.get(`/api/v1/exposures/${id}`)).json()).toMatchObject({
    healthCheck: { type: "http", path: "/healthz", intervalMs: 500 },
    strategy: { engine: "tcx" },
  });

  await page.goto(`/exposures/${id}/edit`);
  await page.getByText("Advanced").click();
  await expect(page.getByLabel("Path")).toHaveValue("/healthz");
  await expect(page.getByRole("radio", { name: "tcx" })).toBeChecked();
  await page.getByLabel("Health check").selectOption("usual");
  await page.getByRole("button", { name: /^Save/ }).click();
  await expect(page.getByText("a TCP connection every second, for TCP ports")).toBeVisible();
  expect(await (await request.get(`/api/v1/exposures/${id}`)).json()).toMatchObject({ healthCheck: null });
  await remove(request, "exposures", id);
});

test("an exposure that nobody carries says so in a sentence, and draws no empty axes", async ({ page, request }) => {
  const { id } = await createExposure(request, unique("unseen"));
  await page.goto(`/exposures/${id}`);
  const measured = page.getByRole("region", { name: "Measured" });
  await expect(measured).toContainText("No figures yet: they come from the agents that carry a load balancer");
  await expect(measured.getByRole("heading", { level: 3 })).toHaveCount(0);
  await remove(request, "exposures", id);
});

test("an exposure in a laboratory shows what its replicas measure, and so do its balancer and its nodes", async ({
  page,
  request,
}) => {
  test.setTimeout(220_000);
  const lab = await startLab(request, `e${Date.now().toString(36)}`);
  try {
    const exposure = await create(request, "exposures", {
      clusterId: lab.clusterId,
      name: "web",
      workload: { namespace: "default", kind: "deployment", name: "web" },
      ports: [{ port: 80, protocol: "tcp" }],
      healthCheck: { type: "http", path: "/healthz", intervalMs: 500 },
      strategy: { type: "ecmp", replicas: 2, poolId: lab.poolId },
    });
    await page.goto(`/exposures/${exposure.id}`);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Serving", { timeout: 60_000 });
    const replicas = page.getByRole("table", { name: "Replicas" });
    await expect(rows(replicas, "Ready")).toHaveCount(2);
    await expect(replicas).toContainText(/(tcx|xdp|nftables|userspace) is the best/);
    await expect(rows(page.getByRole("table", { name: "Backends" }), "Up")).toHaveCount(3);
    await expectLines(page, "Throughput", ["all replicas", "node-1", "node-2"]);
    await expectLines(page, "New connections", ["all replicas", "node-1", "node-2"]);
    await expectLines(page, "Connection set-up", ["node-1 median", "node-2 99th percentile"], 4);
    await expectLines(page, "First byte", ["node-1 99th percentile", "node-2 median"], 4);
    await expectLines(page, "Throughput by backend", ["all of them", "web-1", "web-2", "web-3"]);
    await expectLines(page, "First byte by backend", ["web-1", "web-2", "web-3"]);

    lab.fault("freeze web-1");
    const events = page.getByRole("region", { name: "Events" });
    await expect(events.getByText(/web-1/).first()).toBeVisible({ timeout: 40_000 });
    await expect(rows(page.getByRole("table", { name: "Backends" }), "Down")).toHaveCount(1);
    await expectLines(page, "Health changes", ["all replicas", "node-1", "node-2"]);
    lab.fault("thaw web-1");
    await expect(rows(page.getByRole("table", { name: "Backends" }), "Up")).toHaveCount(3);

    await page.getByRole("table", { name: "Load balancers" }).getByRole("link", { name: "web" }).click();
    await expect(page).toHaveURL(/\/load-balancers\/lb_/);
    await expectLines(page, "Live connections", ["all replicas", "node-1", "node-2"]);

    await page.getByRole("table", { name: "Replicas" }).getByRole("link", { name: "node-1" }).click();
    await expect(page).toHaveURL(/\/nodes\/node_/);
    const balancer = page.getByRole("region", { name: "Balancer" });
    await expect(balancer.getByRole("table", { name: "Engines" })).toContainText(/is the best/);
    await expect(rows(balancer.getByRole("table", { name: "Load balancers on this node" }), "Carried")).toHaveCount(1);
    await expectLines(page, "Throughput", ["this node"]);
    await expect(balancer.getByRole("heading", { name: "Dropped" })).toBeVisible();
    await remove(request, "exposures", exposure.id);
    // Its connections drain for a minute.
    await expect
      .poll(async () => (await request.get(`/api/v1/exposures/${exposure.id}`)).status(), { timeout: 100_000 })
      .toBe(404);
  } finally {
    await lab.stop();
  }
  await lab.forget();
});

const rows = (table: ReturnType<Page["getByRole"]>, text: string) => table.getByRole("row").filter({ hasText: text });

/** The legend is a table of the same figures: its lines are there, and the first of them is more than nothing. */
async function expectLines(page: Page, chart: string, lines: string[], all = lines.length): Promise<void> {
  const legend = page.getByRole("table", { name: `${chart}: the figures of each line in the range shown` });
  await expect(legend.getByRole("rowheader")).toHaveCount(all, { timeout: 40_000 });
  for (const line of lines) await expect(legend).toContainText(line);
  await expect(legend.getByRole("row").nth(1).getByRole("cell").last()).toHaveText(/[1-9]/);
}
