import { labRouting, startLab } from "../support/lab.ts";
import { create, first, remove } from "../support/rest.ts";
import { expect, test } from "../support/test.ts";

test("the flow picture shows sampled client networks, the router, replicas and backends with their state", async ({
  page,
  request,
}) => {
  test.setTimeout(300_000);
  const lab = await startLab(request, "f", { byBgp: true });
  try {
    const patched = await request.patch(`/api/v1/clusters/${lab.clusterId}`, { data: { routing: labRouting } });
    expect(patched.status(), await patched.text()).toBe(200);
    const exposure = await create<{ id: string; strategy: object }>(request, "exposures", {
      clusterId: lab.clusterId,
      name: "web",
      workload: { namespace: "default", kind: "deployment", name: "web" },
      ports: [{ port: 80, protocol: "tcp" }],
      healthCheck: { type: "http", path: "/healthz", intervalMs: 500 },
      strategy: { type: "ecmp", replicas: 2, poolId: lab.poolId },
    });
    await page.goto(`/exposures/${exposure.id}`);
    const flow = page.getByRole("region", { name: "Flow" });
    const column = (title: string) =>
      flow
        .locator("div")
        .filter({ has: page.getByRole("heading", { name: title, exact: true }) })
        .last();
    await expect(column("Routers")).toContainText(/router.*Up.*bit\/s/, { timeout: 100_000 });
    await expect(column("Clients")).toContainText(/All clients.*bit\/s/);
    await expect(column("Replicas").getByRole("listitem")).toHaveText([/node-.*%/, /node-.*%/]);
    await expect(column("Backends").getByRole("listitem")).toHaveCount(3);

    await flow.getByRole("link", { name: "Turn on client sampling" }).click();
    await page.getByText("Advanced", { exact: true }).click();
    await page
      .getByRole("group", { name: /^Client sampling/ })
      .getByText("On", { exact: true })
      .click();
    await page.getByRole("button", { name: "Save" }).click();
    await expect(column("Client networks")).toContainText(/198\.18\.\d+\.0\/24.*bit\/s/, { timeout: 60_000 });
    await expect(flow).toContainText("estimated from sampled packets");

    lab.fault("freeze web-1");
    await expect(column("Backends").getByRole("listitem").filter({ hasText: "web-1" })).toContainText("Down", {
      timeout: 40_000,
    });
    lab.fault("thaw web-1");
    lab.fault("freeze router");
    await expect(column("Routers")).toContainText("Silent", { timeout: 60_000 });
    lab.fault("thaw router");

    // The edit of the exposure is marked in the charts of its load balancer too.
    const balancer = await first(request, "load-balancers", `exposureId=${exposure.id}`);
    await page.goto(`/load-balancers/${balancer.id}?tab=traffic`);
    const chart = page.getByRole("slider", { name: /^Moment in / }).first();
    await expect(chart.locator("[data-event=SpecChanged]")).toBeVisible();

    await page.goto("/");
    await expect(column("Exposures")).toContainText(/web.*bit\/s/, { timeout: 60_000 });
    await expect(column("Client networks")).toContainText("/24");
    // Other labs have an exposure of this name too.
    const backends = page.locator(`a[href="/exposures/${exposure.id}?tab=backends"]`);
    await expect(column("Backends").getByRole("listitem").filter({ has: backends })).toContainText("3 of 3 up", {
      timeout: 60_000,
    });
    const strategy = { ...exposure.strategy, sampleClients: false };
    // The server closes a connection that was idle for 75 s, which may be now: then it is sent again by a new one.
    const off = await request.patch(`/api/v1/exposures/${exposure.id}`, { data: { strategy }, maxRetries: 1 });
    expect(off.status(), await off.text()).toBe(200);
    const answer = await request.get(`/api/v1/exposures/${exposure.id}/flow`);
    expect(await answer.text()).not.toContain("/24");
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
