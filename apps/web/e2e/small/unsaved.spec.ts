import type { Page } from "@playwright/test";
import { createExposure, first, remove, unique } from "../support/rest.ts";
import { expect, test } from "../support/test.ts";

// The browser logs every form request that the server rejects.
test.use({ allowedProblems: /status of 4(09|22)/ });

const question = (page: Page) => page.getByRole("dialog", { name: "Discard your input?" });

async function keepEditing(page: Page): Promise<void> {
  await question(page).getByRole("button", { name: "Keep editing" }).click();
  await expect(question(page)).toBeHidden();
}

test("a failed submit focuses the first invalid field, also if the server found it", async ({ page, request }) => {
  const { name } = await first(request, "clusters", "search=local");
  await page.goto("/clusters?create=true");
  const form = page.getByRole("dialog", { name: "Create a cluster" });
  const submit = form.getByRole("button", { name: "Create cluster" });
  await form.getByLabel("Labels").fill("no equals sign");
  await submit.click();
  await expect(form.getByLabel("Labels")).toBeFocused();
  await form.getByLabel("Labels").fill("");
  await form.getByLabel("Name", { exact: true }).fill("Not A Name");
  await submit.click();
  await expect(form.getByLabel("Name", { exact: true })).toBeFocused();
  await form.getByLabel("Name", { exact: true }).fill(name);
  await form.getByLabel("Kind").selectOption("machines");
  await submit.focus();
  await page.keyboard.press("Enter");
  await expect(form.getByLabel("Name", { exact: true })).toHaveAttribute("aria-invalid", "true");
  await expect(form.getByLabel("Name", { exact: true })).toBeFocused();
});

test("a group of fields with an error is focused too", async ({ page }) => {
  await page.goto("/settings/api-keys");
  await page.getByRole("button", { name: "Create API key" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Name", { exact: true }).fill("no scopes");
  await form.getByRole("button", { name: "None", exact: true }).click();
  await form.getByRole("button", { name: /^Create/ }).click();
  await expect(form.getByRole("group", { name: "Scopes" }).getByRole("button").first()).toBeFocused();
});

test("a dialog with unsaved input closes only after a confirmation, and one without closes at once", async ({
  page,
}) => {
  await page.goto("/address-pools?create=true");
  const form = page.getByRole("dialog", { name: "Create an address pool" });
  await form.getByLabel("Name").fill("unsaved");
  await page.keyboard.press("Escape");
  await expect(question(page)).toBeVisible();
  await question(page).getByRole("button", { name: "Keep editing" }).click();
  await expect(question(page)).toBeHidden();
  await expect(form.getByLabel("Name")).toHaveValue("unsaved");
  await form.getByRole("button", { name: "Close" }).click();
  await question(page).getByRole("button", { name: "Discard" }).click();
  await expect(question(page)).toBeHidden();
  await expect(form).toBeHidden();

  await page.goto("/address-pools?create=true");
  await expect(form.getByLabel("Name")).toHaveValue("");
  await page.keyboard.press("Escape");
  await expect(form).toBeHidden();
  await expect(question(page)).toBeHidden();
});

test("links, Back, shortcuts, the palette and a reload don't discard a changed exposure without a confirmation", async ({
  page,
  request,
}) => {
  const exposure = await createExposure(request, unique("kept"));
  try {
    await page.goto(`/exposures/${exposure.id}`);
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const workload = page.getByLabel("Workload name");
    await expect(workload).toBeVisible();
    await page.getByRole("link", { name: "Nodes", exact: true }).first().click();
    await expect(page.getByRole("heading", { level: 1, name: "Nodes" })).toBeVisible();

    await page.goBack();
    await workload.click();
    await workload.fill("another");
    await page.getByRole("link", { name: "Nodes", exact: true }).first().click();
    await keepEditing(page);
    await workload.blur();
    await page.keyboard.press("g");
    await page.keyboard.press("n");
    await keepEditing(page);
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog", { name: "Find a page, an action or an object" });
    await expect(palette.getByRole("combobox")).toBeFocused();
    await page.keyboard.type("Address pools");
    await palette.getByRole("option", { name: /^Address pools g/ }).click();
    await keepEditing(page);
    await expect(workload).toHaveValue("another");
    await page.evaluate(() => history.back());
    await keepEditing(page);
    await expect(page).toHaveURL(/\/edit$/);
    await expect(workload).toHaveValue("another");

    const asked = page.waitForEvent("dialog");
    await page.evaluate(() => setTimeout(() => location.reload()));
    const dialog = await asked;
    expect(dialog.type()).toBe("beforeunload");
    await dialog.dismiss();
    await expect(workload).toHaveValue("another");

    await page.evaluate(() => history.back());
    await question(page).getByRole("button", { name: "Discard" }).click();
    await expect(page).toHaveURL(new RegExp(`/exposures/${exposure.id}$`));
  } finally {
    await remove(request, "exposures", exposure.id);
  }
});

test("a saved form can be left without a confirmation", async ({ page, request }) => {
  const exposure = await createExposure(request, unique("saved"));
  try {
    await page.goto(`/exposures/${exposure.id}/edit`);
    await page.getByLabel("Workload name").fill("another");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page).toHaveURL(new RegExp(`/exposures/${exposure.id}$`));
    await page.getByRole("link", { name: "Nodes", exact: true }).first().click();
    await expect(page.getByRole("heading", { level: 1, name: "Nodes" })).toBeVisible();
  } finally {
    await remove(request, "exposures", exposure.id);
  }
});
