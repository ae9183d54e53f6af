import type { Page } from "@playwright/test";
import { chooseCluster } from "../support/forms.ts";
import { createExposure, ensureLab, first, remove, unique } from "../support/rest.ts";
import { expect, test } from "../support/test.ts";

test.describe("a missing object", () => {
  test.use({ allowedProblems: /status of 4(04|22)/ });

  const lost = [
    {
      path: "/exposures/exp_00000000000000000000000000",
      noun: "exposure",
      back: "See all exposures",
      list: "Exposures",
    },
    { path: "/nodes/node_00000000000000000000000000", noun: "node", back: "See all nodes", list: "Nodes" },
    {
      path: "/load-balancers/lb_00000000000000000000000000",
      noun: "load balancer",
      back: "See all load balancers",
      list: "Load balancers",
    },
    { path: "/clusters/clu_00000000000000000000000000", noun: "cluster", back: "See all clusters", list: "Clusters" },
    { path: "/exposures/nonsense", noun: "exposure", back: "See all exposures", list: "Exposures" },
  ];
  for (const { path, noun, back, list } of lost) {
    test(`${path} shows that the ${noun} doesn't exist, and links back`, async ({ page }) => {
      await page.goto(path);
      await expect(page.getByRole("heading", { name: `There is no such ${noun}` })).toBeVisible();
      await page.getByRole("link", { name: back }).click();
      await expect(page.getByRole("heading", { level: 1, name: list })).toBeVisible();
    });
  }

  test("an unknown URL shows our own page, and links back", async ({ page }) => {
    const answer = await page.goto("/no/such/page");
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
    await page.getByRole("link", { name: "Go to the overview" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  });
});

test.describe("an API that does not respond", () => {
  test.use({ allowedProblems: /Failed to load resource/ });

  test("is reported above the previous rows, and a retry loads the new ones", async ({ page, request }) => {
    const exposure = await createExposure(request, unique("back"));
    await page.goto("/exposures");
    const grid = page.getByRole("grid", { name: "Exposures" });
    await expect(grid).toContainText(exposure.name);
    await failUntilRetried(page, "**/api/trpc/**exposure.list**");
    await page.getByRole("textbox", { name: "Search exposures by name" }).fill(exposure.name);
    const problem = page.getByRole("alert").filter({ hasText: "The control plane did not respond" });
    await expect(problem).toBeVisible();
    await problem.getByRole("button", { name: "Try again" }).click();
    await expect(problem).toHaveCount(0);
    await expect(grid.getByRole("row")).toHaveCount(2);
    await expect(grid).toContainText(exposure.name);
    await remove(request, "exposures", exposure.id);
  });

  test("is reported in place of the chart, and a retry draws it", async ({ page }) => {
    await failUntilRetried(page, "**/api/trpc/**series.chart**");
    await page.goto("/");
    const chart = page.getByRole("region", { name: "CPU" });
    await expect(chart.getByRole("alert")).toContainText("The control plane did not respond", { timeout: 20_000 });
    await chart.getByRole("button", { name: "Try again" }).click();
    await expect(chart.getByRole("alert")).toHaveCount(0);
    await expect(chart.locator("svg path[data-line]").first()).toBeVisible();
  });

  test("is reported in the form, and the input is kept", async ({ page, request }) => {
    await page.goto("/clusters?create=true");
    const dialog = page.getByRole("dialog", { name: "Create a cluster" });
    await page.route("**/api/trpc/**cluster.create**", (route) => route.abort());
    const name = unique("kept");
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByRole("button", { name: "Create cluster" }).click();
    await expect(dialog.getByRole("alert")).toContainText("The control plane did not respond");
    await expect(dialog.getByLabel("Name")).toHaveValue(name);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await dialog.getByRole("button", { name: "Create cluster" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("grid", { name: "Clusters" })).toContainText(name);
    await remove(request, "clusters", (await first(request, "clusters", `search=${name}`)).id);
  });
});

test.describe("bad input", () => {
  test.use({ allowedProblems: /status of 4\d\d/ });

  test("is reported at its field, which is focused", async ({ page, request }) => {
    await page.goto("/exposures/new");
    await chooseCluster(page, await ensureLab(request));
    const name = page.getByLabel("Name", { exact: true }).first();
    await name.fill("Not A Name");
    await page.getByLabel("Port", { exact: true }).fill("70000");
    await page.getByRole("button", { name: "Create exposure" }).click();
    await expect(name).toHaveAttribute("aria-invalid", "true");
    await expect(name).toBeFocused();
    await expect(name).toHaveAccessibleDescription(/lower-?case/i);
    await expect(page.getByLabel("Port", { exact: true })).toHaveAttribute("aria-invalid", "true");
    await expect(page.getByLabel("Workload name")).toHaveAttribute("aria-invalid", "true");
  });

  test("that only the server can detect is reported at its field too", async ({ page, request }) => {
    const lab = await ensureLab(request);
    const taken = await createExposure(request, unique("taken"), lab);
    await page.goto("/exposures/new");
    await chooseCluster(page, lab);
    const name = page.getByLabel("Name", { exact: true }).first();
    await name.fill(taken.name);
    await page.getByLabel("Workload name").fill("web");
    await page.getByLabel("Port", { exact: true }).fill("443");
    await page.getByRole("radio", { name: /ECMP/ }).check();
    await page.getByRole("button", { name: "Create exposure" }).click();
    await expect(name).toHaveAttribute("aria-invalid", "true");
    await expect(name).toHaveAccessibleDescription(/taken|already|exists/i);
    await remove(request, "exposures", taken.id);
  });

  test("in a URL of the dashboard is ignored", async ({ page }) => {
    await page.goto("/exposures?phase=nonsense&sort=nonsense&density=huge&row=-5&cluster=xyz&cols=nothing");
    await expect(page.getByRole("heading", { level: 1, name: "Exposures" })).toBeVisible();
    await expect(
      page.getByRole("grid", { name: "Exposures" }).or(page.getByRole("heading", { name: /^No exposures/ })),
    ).toBeVisible();
    await expect(page.getByRole("alert").filter({ hasText: /could not/i })).toHaveCount(0);
  });
});

/** failUntilRetried makes requests fail until "Try again" is pressed: the page also retries by itself, and may do so first. */
async function failUntilRetried(page: Page, url: string): Promise<void> {
  await page.addInitScript(noteRetry);
  await page.evaluate(noteRetry);
  await page.route(url, async (route) => {
    const isRetried = await page.evaluate(() => document.documentElement.hasAttribute("data-retried"));
    await (isRetried ? route.continue() : route.abort());
  });
}

function noteRetry(): void {
  const note = ({ target }: Event) => {
    const button = target instanceof Element && target.closest("button");
    if (button && button.textContent === "Try again") document.documentElement.setAttribute("data-retried", "");
  };
  document.addEventListener("click", note, { capture: true });
}
