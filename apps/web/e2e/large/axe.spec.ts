import type { APIRequestContext, Page } from "@playwright/test";
import { desktop, everywhere, phone, violationsIn } from "../support/accessibility.ts";
import { objectTabs, openPages, plainPages, rareTabs } from "../support/pages.ts";
import { storageState } from "../support/product.ts";
import { createExposure, first, unique } from "../support/rest.ts";
import { settled } from "../support/settled.ts";
import { expect, test } from "../support/test.ts";

// From the start: a running fade continues when motion is reduced later, and its colours are neither old nor new.
test.use({
  contextOptions: { reducedMotion: "reduce" },
  // Violations are listed and shown in a screenshot. Snapshots of every step would take a sixth of the time.
  trace: { mode: "retain-on-failure", screenshots: false, snapshots: false, sources: true },
});

let ids: Record<"exposure" | "node" | "cluster" | "loadBalancer" | "pool", string>;
test.beforeAll(async ({ browser }) => {
  const context = await browser.newContext({ storageState });
  const rest = context.request;
  const [node, cluster, loadBalancer, pool] = await Promise.all([
    first(rest, "nodes", `search=${await localNode(rest)}`),
    first(rest, "clusters", "search=local"),
    first(rest, "load-balancers", "strategy=ecmp"),
    first(rest, "address-pools"),
  ]);
  const exposure = await createExposure(rest, unique("axe"));
  ids = { exposure: exposure.id, node: node.id, cluster: cluster.id, loadBalancer: loadBalancer.id, pool: pool.id };
  await context.close();
});

const pages: Record<string, () => string> = {
  ...Object.fromEntries(Object.entries(plainPages).map(([name, address]) => [name, () => address])),
  "an exposure": () => `/exposures/${ids.exposure}`,
  "the form of an exposure": () => `/exposures/${ids.exposure}/edit`,
  "a load balancer": () => `/load-balancers/${ids.loadBalancer}`,
  "a cluster": () => `/clusters/${ids.cluster}`,
  "a node": () => `/nodes/${ids.node}`,
  "a comparison": () => "/costs?averageMbps=25&compare=aws-clb@us-east-1,aws-nlb@us-east-1,aws-haproxy@us-east-1",
  "a profile with a contradiction": () => "/costs?averageMbps=25&peakMbps=5&activeConnections=much",
  "a list without matches": () => "/exposures?q=nothing-is-called-this",
};

const ofObjects = {
  exposures: "an exposure",
  "load-balancers": "a load balancer",
  clusters: "a cluster",
  nodes: "a node",
} as const;
for (const [list, [, ...others]] of Object.entries(objectTabs))
  for (const tab of others) {
    const name = ofObjects[list as keyof typeof objectTabs];
    pages[`the tab ${tab} of ${name}`] = () => `${pages[name]?.()}?tab=${tab}`;
  }

for (const [name, path] of Object.entries(pages)) checks(name, path);

for (const { list, tab, query } of rareTabs)
  checks(
    `the tab ${tab} of ${ofObjects[list]}`,
    async (rest) => `/${list}/${(await first(rest, list, query)).id}?tab=${tab}`,
  );

function checks(name: string, path: (rest: APIRequestContext) => string | Promise<string>): void {
  test(`no accessibility violations in ${name}, in light, in dark and on a phone`, async ({ page, request }) => {
    await page.setViewportSize(desktop);
    const address = await path(request);
    await page.goto(address);
    await settled(page);
    const tab = new URLSearchParams(address.split("?")[1]).get("tab");
    if (tab) await expect(page.locator(`[role=tab][id$="-trigger-${tab}"]`)).toHaveAttribute("aria-selected", "true");
    await everywhere(page);
  });
}

for (const [name, path] of Object.entries(openPages))
  test(`no accessibility violations in ${name}, in light, in dark and on a phone`, async ({ page }) => {
    await page.setViewportSize(desktop);
    await page.goto(path); // outside the layout, so it has no live stream
    await everywhere(page);
  });

const peeks: Record<string, () => string> = {
  "an exposure": () => `/exposures?peek=${ids.exposure}`,
  "a load balancer": () => `/load-balancers?peek=${ids.loadBalancer}`,
  "a node": () => `/nodes?peek=${ids.node}`,
  "a cluster": () => `/clusters?peek=${ids.cluster}`,
  "a pool": () => `/address-pools?peek=${ids.pool}`,
};

for (const [name, path] of Object.entries(peeks))
  test(`no accessibility violations in the peek at ${name}, in light, in dark and on a phone`, async ({ page }) => {
    await page.setViewportSize(desktop);
    await page.goto(path());
    await settled(page);
    // The list next to it has its own test. On a phone the peek is a dialog over it.
    await everywhere(page, "aside, [role=dialog]");
  });

const dialogs: Record<string, { path: () => string; open: (page: Page) => Promise<void> }> = {
  "the palette with results": {
    path: () => "/nodes",
    open: async (page) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("a");
      await expect(page.getByRole("option").first()).toBeVisible();
    },
  },
  "the dialog that deletes an exposure": {
    path: () => `/exposures/${ids.exposure}`,
    open: (page) => page.getByRole("button", { name: "Delete", exact: true }).click(),
  },
  "the view of a list": {
    path: () => "/exposures",
    open: (page) => page.getByRole("button", { name: "View" }).click(),
  },
  "a filter": {
    path: () => "/exposures",
    open: (page) => page.getByRole("button", { name: /^Filter by State/ }).click(),
  },
  "the user menu": {
    path: () => "/nodes",
    open: (page) => page.getByRole("button", { name: /sign out/ }).click(),
  },
  "the cluster filter": {
    path: () => "/nodes",
    open: (page) =>
      page
        .getByRole("banner")
        .getByRole("button", { name: /^Cluster/ })
        .click(),
  },
  "the time range picker": {
    path: () => "/",
    open: (page) =>
      page
        .getByRole("banner")
        .getByRole("button", { name: /last|range/i })
        .click(),
  },
  "the list of shortcuts": { path: () => "/nodes", open: (page) => page.keyboard.press("?") },
  "the form of an API key": {
    path: () => "/settings/api-keys",
    open: (page) => page.getByRole("button", { name: "Create API key" }).click(),
  },
  "the form of an invitation": {
    path: () => "/settings/members",
    open: (page) => page.getByRole("button", { name: "Invite member" }).click(),
  },
  "the form of an identity provider": {
    path: () => "/settings/identity-providers",
    open: (page) => page.getByRole("button", { name: "Add provider" }).click(),
  },
  "the form of an own machine": {
    path: () => "/costs/price-book",
    open: (page) => page.getByRole("button", { name: "Add machine" }).click(),
  },
  "the form of a negotiated price": {
    path: () => "/costs/price-book",
    open: (page) => page.getByRole("button", { name: "Add price" }).click(),
  },
  "a form with errors": {
    path: () => "/exposures/new",
    open: async (page) => {
      await page.getByRole("button", { name: "Create exposure" }).click();
      await expect(page.getByLabel("Workload name")).toHaveAttribute("aria-invalid", "true");
    },
  },
};

for (const [name, { path, open }] of Object.entries(dialogs))
  test(`no accessibility violations in ${name}, in light and in dark`, async ({ page }) => {
    await page.setViewportSize(desktop);
    await page.goto(path());
    await settled(page);
    await open(page);
    await violationsIn(page, "light");
    await violationsIn(page, "dark");
  });

test("no accessibility violations in all pages' drawer on a phone", async ({ page }) => {
  await page.setViewportSize(phone);
  await page.goto("/");
  await settled(page);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "All pages" })).toBeVisible();
  await violationsIn(page, "light");
  await violationsIn(page, "dark");
});

test.describe("signed out", () => {
  test.use({ storageState: { cookies: [], origins: [] }, allowedProblems: /status of 404/ });
  for (const path of [
    "/sign-in",
    "/sign-in?error=other-domain",
    "/calculator",
    "/calculator?averageMbps=25&protocol=http&tls=terminate&constraints=static-ip",
    "/docs",
    "/docs?q=bgp",
    "/docs/guides/routing",
    "/docs/reference/costs",
    "/invitations/aaaaaaaaaaaaaaaaaaaaaaaa",
    "/no/such/page",
  ])
    test(`no accessibility violations in ${path}, in light, in dark and on a phone`, async ({ page }) => {
      await page.setViewportSize(desktop);
      await page.goto(path);
      await everywhere(page);
    });
});

/** The node of this machine: only a node that isn't seeded reports now. */
async function localNode(rest: import("@playwright/test").APIRequestContext): Promise<string> {
  const answer = await rest.get("/api/v1/nodes?sort=lastReportAt&direction=desc&limit=1");
  const { items } = (await answer.json()) as { items: { name: string }[] };
  return items[0]?.name ?? "";
}
