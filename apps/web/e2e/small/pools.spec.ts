import { leave } from "../support/leave.ts";
import { create, first, remove, unique } from "../support/rest.ts";
import { expect, test } from "../support/test.ts";

// The browser logs every form request that the server rejects.
test.use({ allowedProblems: /status of 409/ });

test("the note of an address pool is changed in its details, and found by the search", async ({ page, request }) => {
  const name = unique("noted");
  const cluster = await first(request, "clusters", "search=local");
  const pool = await create(request, "address-pools", { clusterId: cluster.id, name, prefix: "2001:db8:77::/112" });
  try {
    await page.goto(`/address-pools?peek=${pool.id}`);
    await page.getByRole("button", { name: "Edit…" }).click();
    const dialog = page.getByRole("dialog", { name: `Edit ${name}` });
    await dialog.getByLabel("Note").fill("x".repeat(201));
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByText(/200 characters at most/i)).toBeVisible();
    await dialog.getByLabel("Note").fill(`the uplink of ${name}`);
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText(`the uplink of ${name}`).first()).toBeVisible();

    await page.goto(`/address-pools?q=${encodeURIComponent(`uplink of ${name}`)}`);
    await expect(page.getByRole("grid", { name: "Address pools" }).locator("[data-row]")).toHaveCount(1);
  } finally {
    await remove(request, "address-pools", pool.id);
  }
});

test("a pool that overlaps one of another cluster is created once the overlap is confirmed, for that prefix only", async ({
  page,
  request,
}) => {
  const [here, there] = [unique("here"), unique("there")];
  const clusters = [
    await create(request, "clusters", { name: here, kind: "machines" }),
    await create(request, "clusters", { name: there, kind: "machines" }),
  ] as const;
  const pool = { clusterId: clusters[1].id, name: "public", prefix: "2001:db8:88::/112" };
  const pools = [await create(request, "address-pools", pool)];
  try {
    await page.goto(`/address-pools?q=${here}`);
    await page.getByRole("button", { name: "Create address pool" }).first().click();
    const dialog = page.getByRole("dialog", { name: /Create an? address pool/ });
    const confirm = dialog.getByRole("checkbox", { name: "Allow overlap with other clusters" });
    const submit = dialog.getByRole("button", { name: "Create address pool" });
    await dialog.getByLabel("Cluster").selectOption({ label: here });
    await dialog.getByLabel("Name").fill(here);
    await dialog.getByLabel("Prefix").fill("2001:db8:88::/120");
    await expect(confirm).toBeHidden();
    await submit.click();
    await expect(dialog.getByRole("alert")).toContainText(`(2001:db8:88::/112) of the cluster ${there}`);
    await confirm.check();
    await dialog.getByLabel("Prefix").fill("2001:db8:88::/116");
    await expect(confirm).toBeHidden();
    await submit.click();
    await confirm.check();
    await submit.click();
    await expect(dialog).toBeHidden();
    pools.push(await first(request, "address-pools", `clusterId=${clusters[0].id}`));
    await expect(page.getByRole("grid", { name: "Address pools" })).toContainText("2001:db8:88::/116");
  } finally {
    await leave(page);
    for (const { id } of pools) await remove(request, "address-pools", id);
    for (const { id } of clusters) await remove(request, "clusters", id);
  }
});
