import type { Page } from "@playwright/test";
import { everywhere } from "../support/accessibility.ts";
import { leave } from "../support/leave.ts";
import { create, createExposure, ensureLab, remove, unique } from "../support/rest.ts";
import { settled } from "../support/settled.ts";
import { showTab } from "../support/show-tab.ts";
import { expect, test } from "../support/test.ts";

type Exposure = { labels: Record<string, string>; ports: { port: number }[] };

// The page of a deleted exposure may fetch it once more before the list appears.
test.use({ allowedProblems: /status of 404.*(exposure|cluster)\.get/ });

const changesOf = (page: Page) => page.getByRole("region", { name: "Changes" });

test("a change shows what it ends, is a version, and an earlier version can be restored", async ({ page, request }) => {
  const { id } = await createExposure(request, unique("history"));
  const read = async () => (await (await request.get(`/api/v1/exposures/${id}`)).json()) as Exposure;
  await page.goto(`/exposures/${id}/edit`);
  await settled(page);
  await expect(changesOf(page)).toContainText("Nothing changed yet.");
  await page.getByLabel("Port", { exact: true }).fill("444");
  await expect(changesOf(page)).toContainText("Port 443 tcp closes. Connections to it end.");
  await expect(changesOf(page)).toContainText("ports[0].port");
  await page.getByRole("button", { name: "Save changes" }).click();

  await showTab(page, "Spec");
  const history = page.getByRole("region", { name: "History" });
  await expect(history.getByRole("listitem").first()).toContainText("changed 1 field, the current version");
  await history.getByRole("button", { name: "Show changes" }).click();
  await expect(history).toContainText("ports[0].port");
  await history.getByRole("listitem").last().getByRole("button", { name: "Restore…" }).click();
  const dialog = page.getByRole("dialog", { name: "Restore this version?" });
  await expect(dialog).toContainText("Port 444 tcp closes. Connections to it end.");
  await expect(dialog).toContainText("ports[0].port");
  await everywhere(page);
  await dialog.getByRole("button", { name: "Restore version" }).click();
  await expect(dialog).toBeHidden();
  await expect(history.getByRole("listitem").filter({ hasText: "changed 1 field" }).nth(1)).toBeVisible();
  expect((await read()).ports).toMatchObject([{ port: 443 }]);
  await remove(request, "exposures", id);
});

/** restoreFirst restores the first version in the history on the page. */
async function restoreFirst(page: Page, field: string): Promise<void> {
  const history = page.getByRole("region", { name: "History" });
  await expect(history.getByRole("listitem").first()).toContainText("changed 1 field, the current version");
  await history.getByRole("listitem").last().getByRole("button", { name: "Restore…" }).click();
  const dialog = page.getByRole("dialog", { name: "Restore this version?" });
  await expect(dialog).toContainText(field);
  await dialog.getByRole("button", { name: "Restore version" }).click();
  await expect(dialog).toBeHidden();
  await expect(history.getByRole("listitem")).toHaveCount(3);
}

test("clusters and address pools have a spec and versions too", async ({ page, request }) => {
  const cluster = await create(request, "clusters", { name: unique("kept"), kind: "lab", region: "fra" });
  const pool = await create(request, "address-pools", {
    ...{ clusterId: cluster.id, name: "noted", prefix: "203.0.113.0/28", note: "first", allowOverlap: true },
  });
  const read = async (path: string) => (await (await request.get(`/api/v1/${path}`)).json()) as object;
  const copies: [list: string, id: string][] = [];
  try {
    const moved = await request.patch(`/api/v1/clusters/${cluster.id}`, { data: { region: "ams" } });
    expect(moved.status()).toBe(200);
    await page.goto(`/clusters/${cluster.id}?tab=spec`);
    await settled(page);
    await page.getByRole("button", { name: "YAML and curl" }).click();
    const dialog = page.getByRole("dialog", { name: `Spec of ${cluster.name}` });
    await expect(dialog.getByRole("region", { name: "Spec as YAML" })).toContainText("region: ams");
    await page.keyboard.press("Escape");
    await restoreFirst(page, "region");
    expect(await read(`clusters/${cluster.id}`)).toMatchObject({ region: "fra" });

    await request.patch(`/api/v1/address-pools/${pool.id}`, { data: { note: "second" } });
    await page.goto(`/address-pools?peek=${pool.id}`);
    await restoreFirst(page, "note");
    expect(await read(`address-pools/${pool.id}`)).toMatchObject({ note: "first" });

    await page.getByRole("button", { name: "YAML and curl" }).click();
    await expect(page.getByRole("region", { name: "Spec as YAML" })).toContainText("prefix: 203.0.113.0/28");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Clone…" }).click();
    const poolForm = page.getByRole("dialog", { name: "Clone noted" });
    await expect(poolForm.getByLabel("Note")).toHaveValue("first");
    await poolForm.getByLabel("Name").fill("copied");
    await poolForm.getByLabel("Prefix").fill("203.0.113.16/28");
    await poolForm.getByRole("button", { name: "Create address pool" }).click();
    await expect(page.getByRole("complementary")).toContainText("203.0.113.16/28");
    copies.push(["address-pools", new URL(page.url()).searchParams.get("peek") ?? ""]);

    await page.goto(`/clusters/${cluster.id}?tab=spec`);
    await page.getByRole("button", { name: "Clone" }).click();
    const clusterForm = page.getByRole("dialog", { name: `Clone ${cluster.name}` });
    await everywhere(page);
    await clusterForm.getByLabel("Name").fill(`${cluster.name}-copy`);
    await clusterForm.getByRole("button", { name: "Create cluster" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText(`${cluster.name}-copy`);
    const copyId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    expect(await read(`clusters/${copyId}`)).toMatchObject({ kind: "lab", region: "fra" });
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete cluster" }).click();
    await expect(page).toHaveURL(/\/clusters$/);
    await expect(page.getByRole("grid", { name: "Clusters" }).getByText(`${cluster.name}-copy`)).toHaveCount(0);
  } finally {
    await leave(page);
    for (const [list, id] of copies) await remove(request, list, id);
    await remove(request, "address-pools", pool.id);
    await remove(request, "clusters", cluster.id);
  }
});

test("a version of a cluster is restored with its routing: it lists what that does, and has no password", async ({
  page,
  request,
}) => {
  const password = unique("hidden");
  const cluster = await create(request, "clusters", { name: unique("routed"), kind: "lab", region: "fra" });
  const routing = {
    ...{ asn: 65_010, balancers: ["10.0.0.0/24"] },
    routers: [{ name: "r1", address: "10.0.0.1", asn: 65_000 }],
  };
  const change = async (data: object) => {
    const answer = await request.patch(`/api/v1/clusters/${cluster.id}`, { data });
    expect(answer.status(), await answer.text()).toBe(200);
  };
  try {
    await change({ routing: { ...routing, password } });
    await change({ region: "ams", routing: { ...routing, asn: 65_011 } });
    await page.goto(`/clusters/${cluster.id}?tab=spec`);
    await settled(page);
    await page.getByRole("button", { name: "YAML and curl" }).click();
    const spec = page.getByRole("dialog", { name: `Spec of ${cluster.name}` });
    await expect(spec.getByRole("region", { name: "Spec as YAML" })).toContainText("asn: 65011");
    await expect(spec.getByRole("region", { name: "Request that sets the rest" })).toContainText("-X PATCH");
    await expect(spec).not.toContainText(/password/i);
    await page.keyboard.press("Escape");

    const rows = page.getByRole("region", { name: "History" }).getByRole("listitem");
    const dialog = page.getByRole("dialog", { name: "Restore this version?" });
    await rows.last().getByRole("button", { name: "Restore…" }).click();
    await expect(dialog).toContainText("All BGP sessions end, and their routes are withdrawn.");
    await dialog.getByRole("button", { name: "Cancel" }).click();

    await rows.nth(1).getByRole("button", { name: "Restore…" }).click();
    await expect(dialog).toContainText("AS: all BGP sessions restart. External peers must expect the new AS.");
    for (const field of ["region", "routing.asn"]) await expect(dialog).toContainText(field);
    await expect(dialog).not.toContainText(/password/i);
    expect(await page.content()).not.toContain(password);
    await dialog.getByRole("button", { name: "Restore version" }).click();
    await expect(dialog).toBeHidden();
    await expect(rows).toHaveCount(4);
    const restored = (await (await request.get(`/api/v1/clusters/${cluster.id}`)).json()) as object;
    expect(restored).toMatchObject({ region: "fra", routing: { asn: 65_010, hasPassword: true } });
  } finally {
    await remove(request, "clusters", cluster.id);
  }
});

test("the spec of an exposure can be copied as YAML and as a request, and cloned", async ({ page, request }) => {
  const { id, name } = await createExposure(request, unique("original"), await ensureLab(request));
  await page.goto(`/exposures/${id}?tab=spec`);
  await settled(page);
  await page.getByRole("button", { name: "YAML and curl" }).click();
  const dialog = page.getByRole("dialog", { name: `Spec of ${name}` });
  await expect(dialog.getByRole("region", { name: "Spec as YAML" })).toContainText(`name: ${name}`);
  await expect(dialog.getByRole("region", { name: "Request that creates it" })).toContainText("/api/v1/exposures'");
  await everywhere(page);
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Clone" }).click();
  await expect(page).toHaveURL(/exposures\/new\?from=exp_/);
  const nameField = page.getByLabel("Name", { exact: true }).first();
  await expect(nameField).toHaveValue("");
  await expect(page.getByLabel("Port", { exact: true })).toHaveValue("443");
  const copy = unique("copy");
  await nameField.fill(copy);
  await page.getByRole("button", { name: "Create exposure" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(copy);
  const cloned = new URL(page.url()).pathname.split("/").at(-1) ?? "";

  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const confirmation = page.getByRole("dialog", { name: `Delete ${copy}?` });
  await confirmation.getByLabel(`Type ${copy} to confirm`).fill(copy);
  await confirmation.getByRole("button", { name: "Delete exposure" }).click();
  await expect(page).toHaveURL(/\/exposures$/);
  await expect
    .poll(async () => (await request.get(`/api/v1/exposures/${cloned}`)).status(), { timeout: 20_000 })
    .toBe(404);
  await remove(request, "exposures", id);
});
