import { chooseCluster } from "../support/forms.ts";
import { attachCluster } from "../support/kubernetes.ts";
import { create, ensureLab, ensurePool, unique } from "../support/rest.ts";
import { settled } from "../support/settled.ts";
import { expect, test } from "../support/test.ts";

test("a workload is chosen by keyboard from what the cluster has, and its pods are shown live", async ({
  page,
  request,
}) => {
  const { cluster, seeWorkload, seePod, close } = await attachCluster(request);
  await seeWorkload({ kind: "deployment", namespace: "default", name: "api", desired: 1, ready: 1 });
  await seeWorkload({ kind: "stateful-set", namespace: "shop", name: "db", desired: 2, ready: 1 });
  await seePod({ name: "shop/db-0", workload: "stateful-set shop/db", ready: true });
  await seePod({ name: "shop/db-1", workload: "stateful-set shop/db", ready: false });
  await page.goto("/exposures/new");
  await settled(page);
  await chooseCluster(page, cluster);
  const name = page.getByRole("combobox", { name: "Workload name" });
  const list = page.getByRole("listbox", { name: "Workloads of the cluster" });
  const preview = page.getByRole("region", { name: "Preview" });

  await test.step("typing filters, the arrow keys select, and Enter fills in namespace and kind", async () => {
    await name.focus();
    await expect(list).toBeHidden();
    await page.keyboard.press("ArrowDown");
    await expect(list.getByRole("option")).toHaveText([/^default\/api/, /^shop\/db.*StatefulSet · 1 of 2 ready/]);
    await page.keyboard.press("Escape");
    await expect(list).toBeHidden();
    await page.keyboard.type("shop/");
    await expect(name).toHaveAttribute("aria-expanded", "true");
    await expect(list.getByRole("option")).toHaveCount(1);
    await page.keyboard.press("ArrowDown");
    const active = list.getByRole("option", { name: /shop\/db/ });
    await expect(active).toHaveAttribute("aria-selected", "true");
    await expect(name).toHaveAttribute("aria-activedescendant", (await active.getAttribute("id")) ?? "");
    await page.keyboard.press("Enter");
    await expect(list).toBeHidden();
    await expect(name).toHaveValue("db");
    await expect(page.getByLabel("Namespace")).toHaveValue("shop");
    await expect(page.getByRole("combobox", { name: "Kind" })).toHaveValue("stateful-set");
    await expect(page).toHaveURL(/exposures\/new/);
  });

  await test.step("the preview follows the pods", async () => {
    await expect(preview).toContainText("2 pods, 1 ready");
    await expect(preview.getByRole("listitem")).toHaveText([/shop\/db-0 on worker-1.*Ready/, /shop\/db-1.*Not ready/]);
    await seePod({ name: "shop/db-1", workload: "stateful-set shop/db", ready: true });
    await expect(preview).toContainText("2 pods, 2 ready", { timeout: 15_000 });
  });

  await test.step("an unknown workload is allowed, with a warning", async () => {
    await expect(name).not.toHaveAccessibleDescription(/no such workload/);
    await name.fill("later");
    await expect(name).toHaveAccessibleDescription("The cluster has no such workload now.");
    await expect(name).not.toHaveAttribute("aria-invalid");
    await expect(preview).toContainText("No pod matches now.");
  });

  await test.step("a click selects too", async () => {
    await name.fill("");
    await name.click();
    await list.getByRole("option", { name: /default\/api/ }).click();
    await expect(name).toHaveValue("api");
    await expect(name).toBeFocused();
  });
  await close();
});

test("the preview has the hourly cost, or names the price that is missing", async ({ page, request }) => {
  const lab = await ensureLab(request);
  await ensurePool(request, lab);
  await request.patch(`/api/v1/clusters/${lab.id}`, { data: { runsAs: null } });
  await page.goto("/exposures/new");
  await settled(page);
  await chooseCluster(page, lab);
  await page.getByLabel("Name", { exact: true }).first().fill(unique("priced"));
  await page.getByLabel("Workload name").fill("web");
  await page.getByLabel("Port", { exact: true }).fill("80");
  const preview = page.getByRole("region", { name: "Preview" });
  await expect(preview).toContainText(`No price is known for ECMP in ${lab.name}.`);
  await expect(preview.getByRole("link", { name: "Open setting" })).toHaveAttribute(
    "href",
    `/clusters/${lab.id}?tab=spec#runs-as`,
  );
  await expect(preview.getByRole("link", { name: "See prices" })).toHaveAttribute("href", "/costs/prices");

  const machine = unique("rack");
  await create(request, "cost/price-book/machines", {
    ...{ name: machine, cores: 8, networkMbps: 10_000, currency: "USD", purchaseMicros: 0, amortisedMonths: 36 },
    ...{ powerWatts: 0, kwhMicros: 0, pue: 1, hostingMonthlyMicros: 73_000_000, validFrom: "2026-01-01" },
    ...{ staffHoursPerMonth: 0, staffHourlyMicros: 0, staffShare: 0 },
  });
  const runsAs = { provider: "own", region: "any", machine };
  expect((await request.patch(`/api/v1/clusters/${lab.id}`, { data: { runsAs } })).status()).toBe(200);
  const now = new Date();
  const days = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)).getUTCDate();
  const costOf = (replicas: number) => `$${((replicas * 73) / (days * 24)).toFixed(4)} per hour`;
  await expect(preview).toContainText(costOf(2), { timeout: 15_000 });
  await expect(preview).toContainText(`Machines ${machine} × 2`);
  await page.getByLabel("Replicas").fill("4");
  await expect(preview).toContainText(costOf(4));
});
