import type { Page } from "@playwright/test";
import { createExposure, first, remove, unique } from "../support/rest.ts";
import { settled } from "../support/settled.ts";
import { showTab } from "../support/show-tab.ts";
import { expect, test } from "../support/test.ts";

// The page of a deleted exposure may fetch it once more before the next page appears.
test.use({ allowedProblems: /status of (404.*exposure\.get|500)/ });

const chosen = (page: Page) => page.getByRole("tab", { selected: true });

test("a tab is in the URL, and the browser's Back returns to the previous one", async ({ page, request }) => {
  const { id } = await createExposure(request, unique("parts"));
  await page.goto(`/exposures/${id}?range=1d`);
  await expect(chosen(page)).toHaveText("Traffic");
  await showTab(page, "Costs");
  await expect(page).toHaveURL(/range=1d.*tab=costs/);
  await expect(page.getByRole("region", { name: "Cost comparison" })).toBeVisible();
  await showTab(page, "Spec");
  await expect(page).toHaveURL(/tab=spec/);
  await page.goBack();
  await expect(chosen(page)).toHaveText("Costs");
  await page.reload();
  await expect(chosen(page)).toHaveText("Costs");
  await showTab(page, "Traffic");
  await expect(page).toHaveURL(/\?range=1d$/);
  await page.goto(`/exposures/${id}?tab=unknown`);
  await expect(chosen(page)).toHaveText("Traffic");
  await remove(request, "exposures", id);
});

test("arrow keys move between tabs, and Enter opens one", async ({ page, request }) => {
  const { id } = await createExposure(request, unique("keys"));
  await page.goto(`/exposures/${id}`);
  await settled(page);
  await chosen(page).focus();
  await page.keyboard.press("ArrowRight");
  const backends = page.getByRole("tab", { name: /^Backends/ });
  await expect(backends).toBeFocused();
  await expect(chosen(page)).toHaveText("Traffic");
  await page.keyboard.press("Enter");
  await expect(backends).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("region", { name: "Load balancers" })).toBeVisible();
  await page.keyboard.press("End");
  await expect(page.getByRole("tab", { name: "Spec" })).toBeFocused();
  await remove(request, "exposures", id);
});

test("the data of a tab is fetched once it is shown", async ({ page, request }) => {
  const { id } = await createExposure(request, unique("lazy"));
  const fetched = new Set<string>();
  page.on("request", (each) => {
    const [, procedures] = /\/api\/trpc\/([^?]+)/.exec(each.url()) ?? [];
    for (const procedure of procedures?.split(",") ?? []) fetched.add(procedure);
  });
  await page.goto(`/exposures/${id}`);
  await settled(page);
  await expect.poll(() => [...fetched]).toContain("series.chart");
  for (const hidden of ["cost.compare", "announcement.list", "audit.list"]) expect([...fetched]).not.toContain(hidden);
  await showTab(page, "Routing");
  await expect.poll(() => [...fetched]).toContain("announcement.list");
  await showTab(page, "Costs");
  await expect.poll(() => [...fetched]).toContain("cost.compare");
  expect([...fetched]).not.toContain("audit.list");
  await remove(request, "exposures", id);
});

test("a tab whose data can't be loaded shows the error, and loads it again", async ({ page, request }) => {
  const cluster = await first(request, "clusters", "search=local");
  await page.goto(`/clusters/${cluster.id}`);
  await settled(page);
  await page.route("**/api/trpc/**exposure.list**", (route) => route.fulfill({ status: 500, body: "no JSON" }));
  await showTab(page, "Exposures");
  const problem = page.getByRole("alert").filter({ hasText: "Could not load: Exposures" });
  await expect(problem).toBeVisible({ timeout: 15_000 });
  await page.unroute("**/api/trpc/**exposure.list**");
  await problem.getByRole("button", { name: "Try again" }).click();
  await expect(
    page
      .getByRole("region", { name: "Exposures" })
      .getByText(/No exposures in this cluster|Name/)
      .first(),
  ).toBeVisible();
  await expect(problem).toBeHidden();
});

test("unsaved input isn't lost when another tab is opened", async ({ page, request }) => {
  const node = await first(request, "nodes");
  await page.goto(`/nodes/${node.id}?tab=agents`);
  const field = page.getByLabel("Sample interval, seconds");
  await field.fill("7");
  await page.getByRole("tab", { name: "Events" }).click();
  const dialog = page.getByRole("dialog", { name: "Discard your input?" });
  await dialog.getByRole("button", { name: "Keep editing" }).click();
  await expect(field).toHaveValue("7");
  await page.getByRole("tab", { name: "Events" }).click();
  await dialog.getByRole("button", { name: "Discard" }).click();
  await expect(chosen(page)).toHaveText("Events");
});

test("unsaved input isn't lost when the browser's Back or a link opens another tab", async ({ page, request }) => {
  const node = await first(request, "nodes");
  await page.goto(`/nodes/${node.id}?tab=events`);
  await settled(page);
  await showTab(page, "Agents");
  const field = page.getByLabel("Sample interval, seconds");
  await field.fill("7");
  await expect(page).toHaveURL(/tab=agents/);
  await page.goBack();
  await expect(chosen(page)).toHaveText("Events");
  await expect(field).toBeHidden();
  await showTab(page, "Machine");
  await showTab(page, "Agents");
  await expect(field).toHaveValue("7");

  await page.evaluate(() => {
    const link = document.createElement("a");
    link.href = `${location.pathname}?tab=machine`;
    link.textContent = "To the machine";
    document.querySelector("main")?.prepend(link);
  });
  await page.getByRole("link", { name: "To the machine" }).click();
  const dialog = page.getByRole("dialog", { name: "Discard your input?" });
  await dialog.getByRole("button", { name: "Keep editing" }).click();
  await expect(field).toHaveValue("7");
  await page.getByRole("link", { name: "To the machine" }).click();
  await dialog.getByRole("button", { name: "Discard" }).click();
  await expect(chosen(page)).toHaveText("Machine");
  await showTab(page, "Agents");
  await expect(field).not.toHaveValue("7");
});

test("a link to a setting of a cluster opens the tab that has it", async ({ page, request }) => {
  const cluster = await first(request, "clusters", "search=local");
  await page.goto(`/routing?cluster=${cluster.id}`);
  await page.getByRole("link", { name: "Set up routing" }).click();
  await expect(chosen(page)).toHaveText("Routing");
  await expect(page.getByRole("region", { name: "Routing" })).toBeInViewport();
});
