import { openLine } from "@fairlead/drivers/line-testing";
import type { Page } from "@playwright/test";
import { holdTable } from "../support/database.ts";
import { owner } from "../support/product.ts";
import { create, createExposure, first, remove, unique } from "../support/rest.ts";
import { expect, test } from "../support/test.ts";

const toggle = (page: Page) => page.getByRole("button", { name: /(Pause|Resume) live updates/ });
const list = (page: Page) => page.getByRole("grid", { name: "Exposures" });

test.describe("an interrupted stream", () => {
  // The browser logs that it could not reach the network, as intended.
  test.use({ allowedProblems: /Failed to load resource|ERR_/ });

  test("resumes where it stopped, and misses no change", async ({ page, request, baseURL }) => {
    const prefix = unique("kept");
    const kept = await createExposure(request, `${prefix}-a`);
    const line = await openLine(baseURL ?? "");
    try {
      await page.goto(`${line.url}/exposures?q=${prefix}`);
      await expect(list(page)).toContainText(kept.name);
      await expect(toggle(page)).toHaveAttribute("data-live", "live");

      line.cut();
      await expect(toggle(page)).toHaveAttribute("data-live", "reconnecting");
      const missed = await createExposure(request, `${prefix}-b`);
      await remove(request, "exposures", kept.id);
      await expect(list(page)).not.toContainText(missed.name);
      line.mend();

      await expect(toggle(page)).toHaveAttribute("data-live", "live", { timeout: 30_000 });
      // A resumed stream refetches nothing, so this row was delivered by the stream.
      await expect(list(page)).toContainText(missed.name);
      await expect(list(page).getByRole("row").filter({ hasText: kept.name })).toHaveCount(0, { timeout: 20_000 });
      await remove(request, "exposures", missed.id);
    } finally {
      await line.stop();
    }
  });
});

test("server-rendered content is kept, however early the stream begins", async ({ page, request }) => {
  const exposure = await createExposure(request, unique("drawn"));
  await page.addInitScript(() => {
    const drawn = "[role=grid] [aria-rowindex='2']";
    new MutationObserver(() => {
      window.firstDrawn ||= document.querySelector(drawn) ?? undefined;
    }).observe(document, { childList: true, subtree: true });
  });
  const release = await holdTable("exposure");
  try {
    await page.goto("/exposures", { waitUntil: "commit" });
    await expect(toggle(page)).toHaveAttribute("data-live", "live");
    expect(await page.evaluate(() => window.firstDrawn)).toBeUndefined();
  } finally {
    await release();
  }
  await expect(list(page)).toContainText(exposure.name);
  expect(await page.evaluate(() => window.firstDrawn?.isConnected)).toBe(true);
  await remove(request, "exposures", exposure.id);
});

test("a tab has one stream, however many pages and queries there were", async ({ page, request }) => {
  const node = await first(request, "nodes");
  let open = 0;
  let opened = 0;
  let most = 0;
  page.on("request", (each) => {
    if (!isStream(each.url())) return;
    opened++;
    most = Math.max(most, ++open);
  });
  page.on("requestfinished", (each) => isStream(each.url()) && open--);
  page.on("requestfailed", (each) => isStream(each.url()) && open--);
  await page.goto("/");
  await expect(toggle(page)).toHaveAttribute("data-live", "live");
  const rail = page.getByRole("navigation", { name: "Main" }).first();
  for (const name of ["Exposures", "Nodes", "Load balancers", "Overview"]) {
    await rail.getByRole("link", { name, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  }
  await page.evaluate((path) => window.history.pushState(null, "", path), `/nodes/${node.id}`);
  await expect(toggle(page)).toHaveAttribute("data-live", "live");
  expect({ open, opened, most }).toEqual({ open: 1, opened: 1, most: 1 });
});

test("pausing live updates freezes the page, counts changes, and catches up on resume", async ({ page, request }) => {
  const prefix = unique("held");
  const before = await createExposure(request, `${prefix}-a`);
  await page.goto(`/exposures?q=${prefix}`);
  await expect(list(page)).toContainText(before.name);
  await expect(toggle(page)).toHaveAttribute("data-live", "live");
  // Once its condition is set, the control plane has finished with the first exposure.
  await expect
    .poll(async () => (await (await request.get(`/api/v1/exposures/${before.id}`)).json()).observedGeneration)
    .toBeGreaterThan(0);
  await toggle(page).click();
  await expect(toggle(page)).toHaveAttribute("data-live", "paused");

  const second = await createExposure(request, `${prefix}-b`);
  await expect(toggle(page)).toContainText(/Paused · \d+ changes?/);
  await expect(list(page)).not.toContainText(second.name);
  await toggle(page).click();
  await expect(list(page)).toContainText(second.name);
  await expect(toggle(page)).toHaveAttribute("data-live", "live");
  await remove(request, "exposures", before.id);
  await remove(request, "exposures", second.id);
});

test.describe("a session that ends", () => {
  test.use({ storageState: { cookies: [], origins: [] }, allowedProblems: /status of 401/ });

  test("shows a sign-in link that leads back, and keeps the page", async ({ page, context }) => {
    test.setTimeout(90_000);
    await page.goto("/exposures?density=compact");
    await page.getByLabel("Email").fill(owner.email);
    await page.getByLabel("Password").fill(owner.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(toggle(page)).toHaveAttribute("data-live", "live");

    const other = await context.newPage();
    await other.goto("/nodes");
    await other.getByRole("button", { name: /sign out/ }).click();
    await other.getByRole("menuitem", { name: "Sign out" }).click();
    await expect(other).toHaveURL(/\/sign-in$/);

    const banner = page.getByRole("alert").filter({ hasText: "Your session ended" });
    // The server checks the session of an open stream every half minute.
    await expect(banner).toBeVisible({ timeout: 45_000 });
    await expect(page.getByRole("heading", { level: 1, name: "Exposures" })).toBeVisible();
    await expect(toggle(page)).toHaveAttribute("data-live", "signed-out");

    await banner.getByRole("link", { name: "Sign in again" }).click();
    await page.getByLabel("Email").fill(owner.email);
    await page.getByLabel("Password").fill(owner.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL(/\/exposures\?density=compact$/);
    await expect(page.getByRole("alert").filter({ hasText: "Your session ended" })).toHaveCount(0);
  });
});

test("a change through REST with an API key is visible live", async ({ page, request, playwright, baseURL }) => {
  const { key, id } = await create<{ key: string; id: string }>(request, "api-keys", {
    name: unique("live"),
    role: "operator",
    scopes: ["cluster:write", "cluster:read"],
  });
  await page.goto("/clusters");
  await expect(toggle(page)).toHaveAttribute("data-live", "live");
  const program = await playwright.request.newContext({
    ...(baseURL ? { baseURL } : {}),
    extraHTTPHeaders: { authorization: `Bearer ${key}` },
    storageState: { cookies: [], origins: [] },
  });
  const cluster = await create(program, "clusters", { name: unique("made-by-key"), kind: "machines" });
  await expect(page.getByRole("grid", { name: "Clusters" })).toContainText(cluster.name, { timeout: 5_000 });
  await remove(program, "clusters", cluster.id);
  await expect(page.getByRole("grid", { name: "Clusters" })).not.toContainText(cluster.name);
  await request.post(`/api/v1/api-keys/${id}/revoke`, { data: {} });
  await program.dispose();
});

function isStream(url: string): boolean {
  return url.includes("/api/trpc/live.changes");
}

declare global {
  interface Window {
    /** The first row of a table that was in the document. */
    firstDrawn?: Element | undefined;
  }
}
