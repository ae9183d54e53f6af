import { violationsIn } from "../support/accessibility.ts";
import { saveCsv } from "../support/csv.ts";
import { insertExperiment } from "../support/experiment.ts";
import { create, createExposure, ensurePool, first, remove, unique } from "../support/rest.ts";
import { expect, test } from "../support/test.ts";

test.describe("selecting many", () => {
  test.use({ viewport: { width: 1280, height: 420 } });

  test("selects only the rows on screen, names them, and is cleared by another search", async ({ page, request }) => {
    const prefix = unique("many");
    await ensurePool(request);
    const made = await Promise.all(
      Array.from({ length: 14 }, (_, i) => createExposure(request, `${prefix}-${i + 10}`)),
    );
    await page.goto(`/exposures?q=${prefix}`);
    const rows = page.getByRole("grid", { name: "Exposures" }).locator("[data-row]");
    await expect(rows.first()).toBeVisible();
    const { name, columns, rows: lines } = await saveCsv(page, "Download as CSV");
    expect(name).toBe("exposures.csv");
    const at = columns.indexOf("name");
    expect(lines.map((line) => line[at]).sort()).toEqual(made.map((each) => each.name).sort());

    await page.getByRole("checkbox", { name: "Select the rows on screen" }).check();
    const bar = page.getByRole("region", { name: "Selected rows" });
    const count = Number(/(\d+) selected/.exec((await bar.textContent()) ?? "")?.[1]);
    expect(count).toBeGreaterThan(2);
    expect(count).toBeLessThan(10);
    const selected = rows.filter({ has: page.getByRole("checkbox", { checked: true }) });
    await expect(selected).toHaveCount(count);
    await expect(selected.last()).toBeInViewport();
    await expect(rows.nth(count)).not.toBeInViewport({ ratio: 0.1 });

    await bar.getByRole("button", { name: "Delete…" }).click();
    const dialog = page.getByRole("dialog", { name: `Delete ${count} exposures?` });
    await expect(dialog.getByRole("listitem")).toHaveCount(count);
    await expect(dialog).toContainText(`${prefix}-10`);
    await expect(dialog).not.toContainText(`${prefix}-23`);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(bar).toContainText(`${count} selected`);

    await bar.getByRole("button", { name: "Label…" }).click();
    const form = page.getByRole("dialog", { name: `Label ${count} exposures` });
    await violationsIn(page, "light");
    await violationsIn(page, "dark");
    await form.getByLabel("Labels to set").fill("team=edge");
    await form.getByRole("button", { name: "Label exposures" }).click();
    await expect(form).toBeHidden();
    const labelled = await request.get(`/api/v1/exposures?search=${prefix}&limit=50`);
    const { items } = (await labelled.json()) as { items: { labels: Record<string, string> }[] };
    expect(items.filter(({ labels }) => labels.team === "edge")).toHaveLength(count);

    await page.getByRole("checkbox", { name: "Select the rows on screen" }).check();
    await expect(bar).toContainText(`${count} selected`);
    await page.getByRole("textbox", { name: /^Search/ }).fill(`${prefix}-2`);
    await expect(rows).toHaveCount(4);
    await expect(bar).toBeHidden();
    for (const { id } of made) await remove(request, "exposures", id);
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("a peek traps focus, and returns it to the rows", async ({ page, request }) => {
    const node = await first(request, "nodes");
    await page.goto("/nodes");
    const grid = page.getByRole("grid", { name: "Nodes" });
    await expect(grid.locator("[data-row]").first()).toBeVisible();
    await grid.focus();
    await page.keyboard.press("Enter");
    const peek = page.getByRole("dialog", { name: node.name });
    await expect(peek).toBeFocused();
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press(i % 4 === 3 ? "Shift+Tab" : "Tab");
      expect(await peek.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    }
    await page.keyboard.press("Escape");
    await expect(peek).toBeHidden();
    await expect(grid).toBeFocused();
    await expect(page).not.toHaveURL(/peek=/);
  });
});

test("letter shortcuts do nothing while a dialog is open", async ({ page }) => {
  await page.goto("/clusters?create=true");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Cancel" }).focus();
  await page.keyboard.press("g");
  await page.keyboard.press("n");
  await page.keyboard.press("?");
  await page.keyboard.press("/");
  await expect(page.getByRole("dialog")).toHaveCount(1);
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await page.keyboard.press("g");
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/\/nodes/);
});

for (const [words, minutes] of [
  ["fast", 10],
  ["slow", -10],
] as const)
  test(`a browser whose clock goes ten minutes ${words} sees the node live`, async ({ page, request }) => {
    const node = await first(request, "nodes");
    await page.addInitScript((aheadMs) => {
      const RealDate = Date;
      const now = () => RealDate.now() + aheadMs;
      globalThis.Date = new Proxy(RealDate, {
        construct: (target, args) => Reflect.construct(target, args.length === 0 ? [now()] : args),
        get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
      });
    }, minutes * 60_000);
    await page.goto(`/nodes?q=${node.name}`);
    const row = page.getByRole("grid", { name: "Nodes" }).getByRole("row").filter({ hasText: node.name });
    await expect(row.locator("time").first()).toHaveText(/^\d+ s ago$/);
    await page.goto(`/nodes/${node.id}`);
    await expect(page.getByRole("heading", { level: 1 })).not.toContainText("Silent");
    await expect(page.getByRole("main").getByText(/node is silent|silent for/i)).toHaveCount(0);
  });

test("nodes are drained together, and their drain is ended together", async ({ page, request }) => {
  const node = await first(request, "nodes");
  const isDraining = async () => {
    const answer = await request.get(`/api/v1/nodes/${node.id}`);
    return ((await answer.json()) as { drainingSince: string | null }).drainingSince !== null;
  };
  await page.goto(`/nodes?q=${node.name}`);
  const bar = page.getByRole("region", { name: "Selected rows" });
  for (const [open, title, action, drains] of [
    ["Drain…", "Drain 1 node?", "Drain 1 node", true],
    ["End drain…", "End the drain of 1 node?", "End drain", false],
  ] as const) {
    await page.getByRole("checkbox", { name: `Select ${node.name}` }).check();
    await bar.getByRole("button", { name: open, exact: true }).click();
    const dialog = page.getByRole("dialog", { name: title });
    await expect(dialog.getByRole("listitem")).toHaveText(node.name);
    await dialog.getByRole("button", { name: action }).click();
    await expect(dialog).toBeHidden();
    await expect(bar).toBeHidden();
    expect(await isDraining()).toBe(drains);
  }
});

test("members, API keys and experiments are saved as CSV, without the secret of a key", async ({ page, request }) => {
  const scopes = ["exposure:read"];
  const key = await create<{ id: string; key: string; name: string }>(request, "api-keys", {
    ...{ name: unique("csv"), role: "viewer", scopes },
  });
  const experimentId = await insertExperiment(request);
  await page.goto("/settings/members");
  const members = await saveCsv(page, "Download members as CSV");
  expect(members.name).toBe("members.csv");
  expect(members.columns).toEqual(expect.arrayContaining(["email", "role"]));
  expect(members.rows.length).toBeGreaterThan(0);

  await page.goto("/settings/api-keys");
  const keys = await saveCsv(page, "Download API keys as CSV");
  expect(keys.columns).toEqual(expect.arrayContaining(["name", "start", "scopes"]));
  expect(keys.rows.map((row) => row[keys.columns.indexOf("name")])).toContain(key.name);
  expect(keys.text).not.toContain(key.key);
  expect(keys.columns.filter((each) => /secret|hash|^key$/i.test(each))).toEqual([]);
  await request.post(`/api/v1/api-keys/${key.id}/revoke`);

  await page.goto("/experiments");
  const experiments = await saveCsv(page, "Download experiments as CSV");
  expect(experiments.rows.map((row) => row[experiments.columns.indexOf("id")])).toContain(experimentId);
  await page.goto(`/experiments/${experimentId}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Finished");
});
