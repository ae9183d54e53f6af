import { chooseCluster } from "../support/forms.ts";
import { create, ensureLab, first, remove, unique } from "../support/rest.ts";
import { settled } from "../support/settled.ts";
import { expect, test } from "../support/test.ts";

test("strategies and clusters that can't be served are disabled, with the reason", async ({ page, request }) => {
  const lab = await ensureLab(request);
  const local = await first(request, "clusters", "search=local");
  const detached = await create(request, "clusters", { name: unique("detached"), kind: "kubernetes" });
  await page.goto("/exposures/new");
  await settled(page);
  const card = (name: string) => page.getByRole("radio", { name, exact: true });
  await expect(card("Session")).toBeEnabled();
  await expect(card("Adaptive")).toBeEnabled();

  const cluster = page.getByRole("combobox", { name: "Cluster" });
  const optionOf = ({ id }: { id: string }) => cluster.locator(`option[value="${id}"]`);
  await expect(optionOf(local)).toBeDisabled();
  await expect(optionOf(local)).toHaveText(/ · This version has no driver for machines clusters\.$/);
  await expect(optionOf(detached)).toBeDisabled();
  await expect(optionOf(detached)).toHaveText(
    `${detached.name} · ${detached.name} is not attached, so its pods are unknown: add its kubeconfig.`,
  );
  await expect(optionOf(lab)).toBeEnabled();

  await chooseCluster(page, lab);
  await expect(card("Cloud")).toBeDisabled();
  await expect(card("Cloud")).toHaveAccessibleDescription(/no driver for the strategy cloud in lab clusters\.$/);

  await test.step("the arrow keys skip what is disabled", async () => {
    await card("ECMP").focus();
    await page.keyboard.press("ArrowDown");
    await expect(card("Per replica")).toBeChecked();
    await page.keyboard.press("ArrowDown");
    await expect(card("Session")).toBeChecked();
    await page.keyboard.press("ArrowDown");
    await expect(card("Adaptive")).toBeChecked();
    await page.keyboard.press("ArrowDown");
    await expect(card("ECMP")).toBeChecked();
  });

  await test.step("an addressing that the cluster supports is selected", async () => {
    await card("Per replica").check();
    const addressing = page.getByRole("combobox", { name: "Addresses" });
    await expect(addressing).toHaveValue("shared-sni");
    await expect(addressing.locator("option[value=dedicated]")).toBeDisabled();
    await expect(addressing.locator("option[value=dedicated]")).toHaveText(/no driver .* dedicated in lab clusters\.$/);
  });

  await test.step("a link to a cluster without a driver shows the reason, and nothing is created", async () => {
    await page.goto(`/exposures/new?cluster=${local.id}`);
    await expect(cluster).toHaveAccessibleDescription("This version has no driver for machines clusters.");
    await page.getByRole("button", { name: "Create exposure" }).click();
    await expect(cluster).toBeFocused();
    await expect(page).toHaveURL(/exposures\/new/);
  });
  await remove(request, "clusters", detached.id);
});
