import { everywhere, phone } from "../support/accessibility.ts";
import { insertMetrics, insertMetricsProblem } from "../support/resource-metrics.ts";
import { create, ensurePool, remove, unique } from "../support/rest.ts";
import { removeSessions } from "../support/sessions.ts";
import { expect, test } from "../support/test.ts";

/** Nothing answers there, so the control plane stores no figures of its own. */
const kubeconfig = JSON.stringify({
  ...{ apiVersion: "v1", kind: "Config", "current-context": "test" },
  clusters: [{ name: "test", cluster: { server: "https://127.0.0.1:9" } }],
  users: [{ name: "test", user: { token: "t0ken" } }],
  contexts: [{ name: "test", context: { cluster: "test", user: "test" } }],
});

test("an exposure with the strategy adaptive compares metrics-server with RAP's decision", async ({
  page,
  request,
}) => {
  const cluster = await create(request, "clusters", {
    ...{ name: unique("metrics"), kind: "kubernetes", kubernetes: { kubeconfig } },
  });
  const pool = await ensurePool(request, cluster);
  const { id } = await create(request, "exposures", {
    clusterId: cluster.id,
    name: unique("shop"),
    workload: { namespace: "default", kind: "deployment", name: "shop" },
    ports: [{ port: 80, targetPort: 8080, protocol: "tcp" }],
    strategy: { type: "adaptive", poolId: pool.id },
  });
  const section = page.getByRole("region", { name: "Metrics server", exact: true });

  await test.step("before the first read, it states that", async () => {
    await page.goto(`/exposures/${id}?tab=connections`);
    await expect(section).toContainText("metrics.k8s.io of the cluster was not read yet.");
    await expect(section.getByRole("table")).toBeHidden();
  });

  await test.step("each node has its figures, and where RAP would send requests", async () => {
    await insertMetrics(id, new Date());
    await page.reload();
    const rows = section.getByRole("table").getByRole("row");
    await expect(rows.nth(1)).toContainText(
      /node-1.*2.*0\.96 of 1 core.*96\.0\s%.*96\.0\sMiB of 256\sMiB.*1\.5 of 4 cores.*over 10\.1\ss.*node-2overloaded/,
    );
    await expect(rows.nth(2)).toContainText(/node-2.*1.*0\.2 of 1 core.*this node/);
    await expect(rows.nth(3)).toContainText(/node-3.*0.*node-2no instances/);
    await expect(section).toContainText("reach 90 % of what they may use");
  });
  await everywhere(page, "main");
  await test.step("on a phone, each row is a block", async () => {
    const wide = page.viewportSize();
    await page.setViewportSize(phone);
    await everywhere(page, "main");
    if (wide) await page.setViewportSize(wide);
  });

  await test.step("without metrics-server, it has the cure, and decides nothing", async () => {
    const problem = "metrics-server is not installed: install it.";
    await insertMetricsProblem(id, problem);
    await page.reload();
    await expect(section).toContainText(problem);
    await expect(section.getByRole("table").getByRole("row").nth(1)).not.toContainText("overloaded");
  });
  await removeSessions(id, cluster.id);
  await remove(request, "address-pools", pool.id);
  await remove(request, "clusters", cluster.id);
});
