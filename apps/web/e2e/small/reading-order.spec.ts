import type { Locator, Page } from "@playwright/test";
import { insertExperiment } from "../support/experiment.ts";
import { createExposure, ensureLab, first, remove, unique } from "../support/rest.ts";
import { settled } from "../support/settled.ts";
import { expect, test } from "../support/test.ts";

// The page of a deleted exposure may fetch it once more before the next page appears.
test.use({ allowedProblems: /status of 404.*(exposure|loadBalancer)\.get/, viewport: { width: 1_440, height: 900 } });

/** Expects the parts from top to bottom, for readers of the screen and of the document, and all on the first screen. */
async function expectOrder(page: Page, parts: Record<string, Locator>): Promise<void> {
  await settled(page);
  const places: { name: string; top: number; before: number }[] = [];
  for (const [name, part] of Object.entries(parts)) {
    await expect(part, name).toBeVisible();
    const [box, before] = await Promise.all([
      part.boundingBox(),
      // How many elements come before it in the document.
      part.evaluate((element) => [...document.querySelectorAll("main *")].indexOf(element)),
    ]);
    places.push({ name, top: box?.y ?? Number.NaN, before });
  }
  const names = Object.keys(parts);
  expect(
    places.toSorted((a, b) => a.top - b.top).map(({ name }) => name),
    "on screen",
  ).toEqual(names);
  expect(
    places.toSorted((a, b) => a.before - b.before).map(({ name }) => name),
    "in the document",
  ).toEqual(names);
  expect(Math.max(...places.map(({ top }) => top))).toBeLessThan(900);
}

const partsOf = (page: Page, problem: Locator | null) => ({
  state: page.getByRole("heading", { level: 1 }),
  ...(problem ? { problem } : {}),
  figures: page.locator("main dl").first(),
  tabs: page.getByRole("tablist"),
});

test("an exposure and its load balancer show state, problem, key figures, and then tabs", async ({ page, request }) => {
  const { id } = await createExposure(request, unique("order"), await ensureLab(request));
  const problem = page.getByRole("table", { name: "Desired and observed" });
  await page.goto(`/exposures/${id}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Pending");
  await expectOrder(page, partsOf(page, problem));
  await expect
    .poll(async () => (await request.get(`/api/v1/load-balancers?exposureId=${id}&limit=1`)).text())
    .toContain('"lb_');
  const balancer = await first(request, "load-balancers", `exposureId=${id}`);
  await page.goto(`/load-balancers/${balancer.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Pending");
  await expectOrder(page, partsOf(page, problem));
  await remove(request, "exposures", id);
});

test("a node shows state, problem, key figures, and then tabs", async ({ page, request }) => {
  const { id } = await first(request, "nodes");
  await request.patch(`/api/v1/nodes/${id}`, { data: { draining: true } });
  try {
    await page.goto(`/nodes/${id}`);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Draining");
    await expectOrder(page, partsOf(page, page.locator("main p").filter({ hasText: "Desired state" })));
  } finally {
    await request.patch(`/api/v1/nodes/${id}`, { data: { draining: false } });
  }
});

test("a cluster shows state, key figures, and then tabs", async ({ page, request }) => {
  const { id } = await first(request, "clusters", "search=local");
  await page.goto(`/clusters/${id}`);
  await expectOrder(page, partsOf(page, null));
});

test("an experiment shows state, key figures, and then its charts", async ({ page, request }) => {
  await page.goto(`/experiments/${await insertExperiment(request)}`);
  const { state, figures } = partsOf(page, null);
  await expect(state).toContainText("Finished");
  await expectOrder(page, { state, figures, charts: page.getByRole("heading", { name: "Timeline" }) });
});
