import { storageState } from "../playwright.config.ts";
import { chooseLocalCluster } from "../support/forms.ts";
import { createExposure, ensurePool, first, remove, unique } from "../support/rest.ts";
import { settled } from "../support/settled.ts";
import { expect, test, watch } from "../support/test.ts";

test("settings typed in the browser reach the real agent and come back in sync at a higher revision, live", async ({
  page,
  request,
}) => {
  const node = await first(request, "nodes");
  await page.goto(`/nodes/${node.id}`);
  await page.evaluate(() => Object.assign(window, { notReloaded: true }));
  const agents = page.getByRole("table", { name: /^Agents of/ });
  const revision = agents.getByRole("row").nth(1).getByRole("cell").nth(2);
  await expect(revision).toHaveText(/^\d+$/);
  const before = Number(await revision.textContent());

  const field = page.getByLabel("Sample every, seconds");
  await field.fill((await field.inputValue()) === "1" ? "2" : "1");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(/In sync: the agent runs revision \d+/)).toBeVisible({ timeout: 20_000 });
  await expect(revision).toHaveText(/^\d+$/);
  expect(Number(await revision.textContent())).toBeGreaterThan(before);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("In sync");
  expect(await page.evaluate(() => "notReloaded" in window)).toBe(true);
});

test.describe("a wish that comes and goes", () => {
  // Its own page asks for it once more when it is gone.
  test.use({ allowedProblems: /status of 404.*exposure\.get/ });

  test("says what it will make, is made as it said, and every other browser sees it within a second or so", async ({
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
    const preview = page.getByRole("region", { name: "What will be made" });
    await expect(preview).toContainText("Still needed");
    await chooseLocalCluster(page);
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
      await page.getByRole("button", { name: "Create the pool" }).click();
    }
    await expect(page.getByLabel("Address pool")).toContainText("e2e, 198.51.100.0/24");
    await expect(preview).toContainText("the next one free");
    const address = /198\.51\.100\.\d+/.exec((await preview.textContent()) ?? "")?.[0] ?? "";
    expect(address).not.toBe("");

    await page.getByRole("button", { name: "Create exposure" }).click();
    await expect(page).toHaveURL(/\/exposures\/exp_/);
    await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
    await expect(page.getByText(address).first()).toBeVisible();
    await expect(page.getByRole("table", { name: "Conditions" })).toContainText("NoDriver", { timeout: 20_000 });
    await expect(rowOf(name)).toBeVisible();

    // A change of the name, from the moment it is sent to the moment the other browser shows it.
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const renamed = `${name}-renamed`;
    await page.getByRole("button", { name: "Edit" }).click();
    const nameField = page.getByLabel("Name", { exact: true }).first();
    await expect(nameField).toHaveValue(name);
    await nameField.fill(renamed);
    const stored = page.waitForResponse((answer) => answer.url().includes("exposure.update") && answer.ok());
    await page.getByRole("button", { name: /^Save/ }).click();
    await stored;
    const sentAt = Date.now();
    await expect(rowOf(renamed)).toBeVisible({ timeout: 10_000 });
    const tookMs = Date.now() - sentAt;
    test.info().annotations.push({ type: "measured", description: `change seen elsewhere after ${tookMs} ms` });
    // The promise is one second; the rest is leave for a machine that runs two browsers and a database on two cores.
    expect(tookMs).toBeLessThan(2_500);

    await page.goto(`/exposures/${id}`);
    await page.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog", { name: `Delete ${renamed}?` });
    await expect(dialog.getByRole("button", { name: "Delete the exposure" })).toBeDisabled();
    await dialog.getByLabel(`Type ${renamed} to confirm`).fill(renamed);
    await dialog.getByRole("button", { name: "Delete the exposure" }).click();
    await expect(rowOf(renamed)).toHaveCount(0, { timeout: 30_000 });
    expect((await request.get(`/api/v1/exposures/${id}`)).status()).toBe(404);
    await expect(page.getByRole("heading", { name: "There is no such exposure" })).toBeVisible();
    await other.close();
  });
});

test("an address goes back to its pool when its exposure is deleted before anything was made", async ({ request }) => {
  const pool = await ensurePool(request);
  const allocated = async () =>
    ((await (await request.get(`/api/v1/address-pools/${pool.id}`)).json()) as { allocated: number }).allocated;
  const before = await allocated();
  const exposure = await createExposure(request, unique("brief"));
  expect(await allocated()).toBe(before + 1);
  await remove(request, "exposures", exposure.id);
  await expect.poll(allocated, { timeout: 20_000 }).toBe(before);
});

test("what was typed is there after a reload, and after a look at what a workload's own link fills in", async ({
  page,
}) => {
  const name = page.getByLabel("Name", { exact: true }).first();
  await page.goto("/exposures/new");
  await settled(page);
  await name.fill("half-typed");
  await page.reload();
  await expect(name).toHaveValue("half-typed");
  await page.goto("/exposures/new?kind=deployment&namespace=default&name=api");
  await settled(page);
  await expect(name).toHaveValue("api");
  await page.goto("/exposures/new");
  await expect(name).toHaveValue("half-typed");
});
