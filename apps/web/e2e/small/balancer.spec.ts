import { chooseCluster } from "../support/forms.ts";
import { createExposure, ensureLab, ensurePool, remove, unique } from "../support/rest.ts";
import { showTab } from "../support/show-tab.ts";
import { expect, test } from "../support/test.ts";

test("health check and forwarding are set under Advanced, validated at their fields, and changed later", async ({
  page,
  request,
}) => {
  const lab = await ensureLab(request);
  await ensurePool(request, lab);
  const name = unique("checked");
  await page.goto("/exposures/new");
  await chooseCluster(page, lab);
  await page.getByLabel("Name", { exact: true }).first().fill(name);
  await page.getByLabel("Workload name").fill("web");
  await page.getByLabel("Port", { exact: true }).fill("80");
  await page.getByLabel(/^Target/).fill("8080");
  await expect(page.getByText("Health check: a TCP connection every second")).toBeVisible();
  await expect(page.getByLabel("Health check")).toBeHidden();

  await page.getByText("Advanced").click();
  await page.getByLabel("Health check").selectOption("http");
  await page.getByLabel("Path").fill("healthz");
  await page.getByLabel("Interval, ms").fill("5");
  await page.getByRole("radio", { name: "xdp" }).check();
  await page.getByRole("button", { name: "Create exposure" }).click();
  await expect(page.getByLabel("Path")).toHaveAccessibleDescription(/begins with a slash/);
  await expect(page.getByLabel("Interval, ms")).toHaveAccessibleDescription(/between 100 and 300000/);
  await expect(page.getByRole("radio", { name: "xdp" })).toHaveAccessibleDescription(/80 → 8080 is not possible/);

  await page.getByLabel("Path").fill("/healthz");
  await page.getByLabel("Interval, ms").fill("500");
  await page.getByRole("radio", { name: "tcx" }).check();
  await page.getByRole("button", { name: "Create exposure" }).click();
  await expect(page).toHaveURL(/\/exposures\/exp_/);
  await showTab(page, "Spec");
  await expect(
    page.getByText("HTTP /healthz, every 500 ms; healthy after 2, unhealthy after 3 in a row"),
  ).toBeVisible();
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
  await showTab(page, "Spec");
  await expect(page.getByText("a TCP connection every second, for TCP ports")).toBeVisible();
  expect(await (await request.get(`/api/v1/exposures/${id}`)).json()).toMatchObject({ healthCheck: null });
  await remove(request, "exposures", id);
});

test("an exposure without agents shows a message instead of empty charts", async ({ page, request }) => {
  const { id } = await createExposure(request, unique("unseen"));
  await page.goto(`/exposures/${id}`);
  const measured = page.getByRole("region", { name: "Measured" });
  await expect(measured).toContainText("No metrics yet: they come from the agents of a load balancer");
  await expect(measured.getByRole("heading", { level: 3 })).toHaveCount(0);
  await remove(request, "exposures", id);
});
