import { chooseCluster } from "../support/forms.ts";
import { leave } from "../support/leave.ts";
import { storageState } from "../support/product.ts";
import { create, createExposure, ensureLab, ensurePool, first, remove, unique } from "../support/rest.ts";
import { settled } from "../support/settled.ts";
import { showTab } from "../support/show-tab.ts";
import { expect, test, watch } from "../support/test.ts";

test("settings typed in the browser reach the real agent and come back in sync at a higher revision, live", async ({
  page,
  request,
}) => {
  const node = await first(request, "nodes");
  await page.goto(`/nodes/${node.id}?tab=agents`);
  await page.evaluate(() => Object.assign(window, { notReloaded: true }));
  const agents = page.getByRole("table", { name: /^Agents of/ });
  const revision = agents.getByRole("row").nth(1).getByRole("cell").nth(2);
  await expect(revision).toHaveText(/^\d+$/);
  const before = Number(await revision.textContent());

  const field = page.getByLabel("Sample interval, seconds");
  await field.fill((await field.inputValue()) === "1" ? "2" : "1");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(/In sync: the agent runs revision \d+/)).toBeVisible({ timeout: 20_000 });
  await expect(revision).toHaveText(/^\d+$/);
  expect(Number(await revision.textContent())).toBeGreaterThan(before);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("In sync");
  expect(await page.evaluate(() => "notReloaded" in window)).toBe(true);
});

test.describe("the life of a spec", () => {
  // Its page may fetch it once more after it was deleted.
  test.use({ allowedProblems: /status of 404.*exposure\.get/ });

  test("is previewed, created as previewed, and visible in every other browser within about a second", async ({
    page,
    browser,
    request,
    noProblems,
  }) => {
    const name = unique("web");
    const other = await browser.newContext({ storageState });
    watch(other, noProblems);
    const list = await other.newPage();
    await list.goto(`/exposures?q=${name}`);
    await expect(list.getByRole("button", { name: "Pause live updates" })).toHaveAttribute("data-live", "live");
    const rowOf = (text: string) =>
      list.getByRole("grid", { name: "Exposures" }).getByRole("row").filter({ hasText: text });

    await page.goto("/exposures/new");
    const preview = page.getByRole("region", { name: "Preview" });
    await expect(preview).toContainText("Missing:");
    await chooseCluster(page, await ensureLab(request));
    await page.getByLabel("Name", { exact: true }).first().fill(name);
    await page.getByLabel("Workload name").fill("web");
    await page.getByLabel("Port", { exact: true }).fill("443");
    await page.getByLabel(/^Target/).fill("8443");
    await page.getByRole("radio", { name: /ECMP/ }).check();
    const poolName = page.getByLabel("Pool name");
    await expect(poolName.or(page.getByLabel("Address pool"))).toBeVisible();
    if (await poolName.isVisible()) {
      await poolName.fill("e2e");
      await page.getByLabel("Prefix").fill("198.51.100.0/24");
      await page.getByRole("button", { name: "Create address pool" }).click();
    }
    await expect(page.getByLabel("Address pool")).toContainText("e2e, 198.51.100.0/24");
    await expect(preview).toContainText("next free address");
    const address = /198\.51\.100\.\d+/.exec((await preview.textContent()) ?? "")?.[0] ?? "";
    expect(address).not.toBe("");

    await page.getByRole("button", { name: "Create exposure" }).click();
    await expect(page).toHaveURL(/\/exposures\/exp_/);
    await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
    await expect(page.getByText(address).first()).toBeVisible();
    await showTab(page, "Events");
    await expect(page.getByRole("table", { name: "Conditions" })).toContainText("NoAgents", { timeout: 20_000 });
    await expect(rowOf(name)).toBeVisible();

    // Changes of the name, from the moment each is stored to the moment the other browser shows it.
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const renamed = `${name}-c`;
    const seenAfterMs = async (newName: string, store: () => Promise<unknown>) => {
      await store();
      const storedAt = Date.now();
      await rowOf(newName).waitFor({ timeout: 10_000 });
      return Date.now() - storedAt;
    };
    const rename = async (newName: string) =>
      expect((await request.patch(`/api/v1/exposures/${id}`, { data: { name: newName } })).status()).toBe(200);
    await page.getByRole("button", { name: "Edit" }).click();
    const nameField = page.getByLabel("Name", { exact: true }).first();
    await expect(nameField).toHaveValue(name);
    await nameField.fill(`${name}-a`);
    const tookMs = [
      await seenAfterMs(`${name}-a`, async () => {
        const stored = page.waitForResponse((answer) => answer.url().includes("exposure.update") && answer.ok());
        await page.getByRole("button", { name: /^Save/ }).click();
        await stored;
      }),
      await seenAfterMs(`${name}-b`, () => rename(`${name}-b`)),
      await seenAfterMs(renamed, () => rename(renamed)),
    ];
    test.info().annotations.push({ type: "measured", description: `seen elsewhere after ${tookMs.join(", ")} ms` });
    // The promise is one second. Other programs make it look longer, never shorter, so the fastest of three counts; the
    // half second is for two browsers, a database and the control plane that share two cores with others.
    expect(Math.min(...tookMs), `${tookMs.join(", ")} ms`).toBeLessThan(1_500);

    await page.goto(`/exposures/${id}`);
    await page.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog", { name: `Delete ${renamed}?` });
    await expect(dialog.getByRole("button", { name: "Delete exposure" })).toBeDisabled();
    await dialog.getByLabel(`Type ${renamed} to confirm`).fill(renamed);
    await dialog.getByRole("button", { name: "Delete exposure" }).click();
    await expect(rowOf(renamed)).toHaveCount(0, { timeout: 30_000 });
    expect((await request.get(`/api/v1/exposures/${id}`)).status()).toBe(404);
    await expect(page).toHaveURL(/\/exposures$/);
    await other.close();
  });
});

test("an address returns to its pool if its exposure is deleted before anything was created", async ({ request }) => {
  const pool = await ensurePool(request);
  const allocated = async () =>
    ((await (await request.get(`/api/v1/address-pools/${pool.id}`)).json()) as { allocated: number }).allocated;
  const before = await allocated();
  const exposure = await createExposure(request, unique("brief"));
  expect(await allocated()).toBe(before + 1);
  await remove(request, "exposures", exposure.id);
  await expect.poll(allocated, { timeout: 20_000 }).toBe(before);
});

test("input is kept across a reload, and a link has priority over it", async ({ page, request }) => {
  const lab = await ensureLab(request);
  const other = await create(request, "clusters", { name: unique("linked"), kind: "lab" });
  const cluster = page.getByRole("combobox", { name: "Cluster" });
  const name = page.getByLabel("Name", { exact: true }).first();
  await page.goto("/exposures/new");
  await settled(page);
  await name.fill("half-typed");
  await page.reload();
  await expect(name).toHaveValue("half-typed");
  await chooseCluster(page, lab);

  await test.step("a link to a cluster sets the cluster, and nothing else", async () => {
    await page.goto(`/exposures/new?cluster=${other.id}`);
    await expect(name).toHaveValue("half-typed");
    await expect(cluster).toHaveValue(other.id);
    await page.getByRole("button", { name: "Start over" }).click();
    await expect(name).toHaveValue("");
    await expect(cluster).toHaveValue(other.id);
    await expect(page.getByRole("button", { name: "Restore input" })).toBeFocused();
    await page.getByRole("button", { name: "Restore input" }).click();
    await expect(name).toHaveValue("half-typed");
  });

  await test.step("a link to a workload fills in the form, and the input can be restored", async () => {
    await page.goto("/exposures/new?kind=deployment&namespace=default&name=api");
    await settled(page);
    await expect(name).toHaveValue("api");
    await expect(page.getByText("You have other unsaved input.")).toBeVisible();
    await page.goto("/exposures/new");
    await expect(name).toHaveValue("half-typed");
    await page.goto("/exposures/new?kind=deployment&namespace=default&name=api");
    await page.getByRole("button", { name: "Restore input" }).click();
    await expect(name).toHaveValue("half-typed");
    await expect(cluster).toHaveValue(other.id);
  });
  await leave(page);
  await remove(request, "clusters", other.id);
});
