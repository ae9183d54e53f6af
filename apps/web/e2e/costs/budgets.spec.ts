import { everywhere } from "../support/accessibility.ts";
import { create, remove, unique } from "../support/rest.ts";
import { expect, test } from "../support/test.ts";

test("a budget is added, changed and deleted, and its state is a word", async ({ page, request }) => {
  const cluster = await create(request, "clusters", { name: unique("budget"), kind: "lab", region: "" });
  const name = `Budget of ${cluster.id.slice(-6)}`;
  const answer = await request.get("/api/v1/budgets");
  for (const { id } of ((await answer.json()) as { items: { id: string }[] }).items)
    await remove(request, "budgets", id);
  try {
    await page.goto("/costs/running");
    const budgets = page.getByRole("region", { name: "Budgets" });
    await expect(budgets).toContainText("No budgets.");
    await budgets.getByRole("button", { name: "Add budget" }).click();
    const dialog = page.getByRole("dialog", { name: "Add budget" });
    await dialog.getByLabel("Name", { exact: true }).fill(name);
    await dialog.getByLabel("Amount per month").fill("0");
    await dialog.getByRole("combobox", { name: "Scope" }).selectOption("Cluster");
    await dialog.getByRole("combobox", { name: "Cluster" }).selectOption(cluster.id);
    await dialog.getByRole("button", { name: "Add budget" }).click();
    await expect(dialog.getByLabel("Amount per month")).toHaveAccessibleDescription(/Enter an amount above 0/);
    await everywhere(page);
    await dialog.getByLabel("Amount per month").fill("250.50");
    await dialog.getByRole("button", { name: "Add budget" }).click();
    await expect(dialog).toBeHidden();

    const row = budgets.getByRole("row").filter({ hasText: name });
    await expect(row).toContainText("Within budget");
    await expect(row).toContainText("not enough data");
    await expect(row).toContainText("$250.50");
    await expect(row.getByRole("img")).toHaveAccessibleName(/^\$0\.00 of \$250\.50 spent, forecast not enough data$/);

    await row.getByRole("button", { name: `Edit ${name}` }).click();
    const edit = page.getByRole("dialog", { name: `Edit ${name}` });
    await expect(edit.getByRole("combobox", { name: "Cluster" })).toHaveValue(cluster.id);
    await edit.getByRole("combobox", { name: "Scope" }).selectOption("Label");
    await edit.getByRole("button", { name: "Save budget" }).click();
    await expect(edit.getByLabel("Label of exposures")).toHaveAccessibleDescription(/Enter a label/);
    await edit.getByLabel("Label of exposures").fill("team");
    await edit.getByLabel("Value").fill("shop");
    await edit.getByRole("button", { name: "Save budget" }).click();
    await expect(row).toContainText("label team=shop");

    await row.getByRole("button", { name: `Delete ${name}` }).click();
    const deletion = page.getByRole("dialog", { name: `Delete ${name}?` });
    await deletion.getByRole("button", { name: "Delete budget" }).click();
    await expect(budgets).toContainText("No budgets.");
  } finally {
    await remove(request, "clusters", cluster.id).catch(() => undefined);
  }
});

test.describe("a conflict", () => {
  test.use({ allowedProblems: /status of 412/ });

  test("a budget that was changed meanwhile is not overwritten", async ({ page, request }) => {
    const name = unique("budget");
    const budget = await create(request, "budgets", { name, scope: { type: "organization" }, amountMicros: 1_000_000 });
    try {
      await page.goto("/costs/running");
      await page.getByRole("button", { name: `Edit ${name}` }).click();
      const dialog = page.getByRole("dialog", { name: `Edit ${name}` });
      await dialog.getByLabel("Amount per month").fill("7");
      const changed = await request.patch(`/api/v1/budgets/${budget.id}`, { data: { amountMicros: 5_000_000 } });
      expect(changed.ok()).toBe(true);
      await dialog.getByRole("button", { name: "Save budget" }).click();
      await expect(dialog).toContainText("was changed since you read it");
      await dialog.getByRole("button", { name: "Cancel" }).click();
    } finally {
      await remove(request, "budgets", budget.id);
    }
  });
});
