import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { createExposure, first, unique } from "../support/rest.ts";
import { settled } from "../support/settled.ts";
import { expect, test } from "../support/test.ts";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const desktop = { width: 1_280, height: 800 };
const phone = { width: 390, height: 844 };

// From the start: what begins to fade goes on fading when motion is reduced later, and a colour on its way is neither.
test.use({ contextOptions: { reducedMotion: "reduce" } });

let ids: Record<"exposure" | "node" | "cluster" | "loadBalancer" | "pool", string>;
test.beforeAll(async ({ browser }) => {
  const { storageState } = await import("../playwright.config.ts");
  const context = await browser.newContext({ storageState });
  const rest = context.request;
  const [node, cluster, loadBalancer, pool] = await Promise.all([
    first(rest, "nodes", `search=${await localNode(rest)}`),
    first(rest, "clusters", "search=local"),
    first(rest, "load-balancers"),
    first(rest, "address-pools"),
  ]);
  const exposure = await createExposure(rest, unique("axe"));
  ids = { exposure: exposure.id, node: node.id, cluster: cluster.id, loadBalancer: loadBalancer.id, pool: pool.id };
  await context.close();
});

const pages: Record<string, () => string> = {
  overview: () => "/",
  exposures: () => "/exposures",
  "an exposure": () => `/exposures/${ids.exposure}`,
  "the form of an exposure": () => `/exposures/${ids.exposure}/edit`,
  "the form of a new exposure": () => "/exposures/new",
  "load balancers": () => "/load-balancers",
  "a load balancer": () => `/load-balancers/${ids.loadBalancer}`,
  clusters: () => "/clusters",
  "a cluster": () => `/clusters/${ids.cluster}`,
  "the dialog of a new cluster": () => "/clusters?create=true",
  nodes: () => "/nodes",
  "a node": () => `/nodes/${ids.node}`,
  "the dialog of a new node": () => "/nodes?add=true",
  "address pools": () => "/address-pools",
  "the dialog of a new pool": () => "/address-pools?create=true",
  "the calculator": () => "/costs?averageMbps=25&compare=aws-clb@us-east-1,aws-nlb@us-east-1,aws-haproxy@us-east-1",
  "a profile that contradicts itself": () => "/costs?averageMbps=25&peakMbps=5&activeConnections=much",
  "the price book": () => "/costs/price-book",
  "price refreshes": () => "/costs/prices",
  events: () => "/events",
  audit: () => "/audit",
  settings: () => "/settings",
  members: () => "/settings/members",
  "API keys": () => "/settings/api-keys",
  "sign-in settings": () => "/settings/identity-providers",
  "a list that nothing matches": () => "/exposures?q=nothing-is-called-this",
};

for (const [name, path] of Object.entries(pages))
  test(`everybody can use ${name}, in light, in dark and on a phone`, async ({ page }) => {
    await page.setViewportSize(desktop);
    await page.goto(path());
    await settled(page);
    await everywhere(page);
  });

test("everybody can use the form of a new password, in light, in dark and on a phone", async ({ page }) => {
  await page.setViewportSize(desktop);
  await page.goto("/password"); // outside the frame, so it follows nothing
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
  test(`everybody can use the peek at ${name}, in light, in dark and on a phone`, async ({ page }) => {
    await page.setViewportSize(desktop);
    await page.goto(path());
    await settled(page);
    // The list beside it has a test of its own. On a phone the peek is a dialog over it.
    await everywhere(page, "aside, [role=dialog]");
  });

const dialogs: Record<string, { path: () => string; open: (page: Page) => Promise<void> }> = {
  "the palette with what it found": {
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
  "the menu of the person": {
    path: () => "/nodes",
    open: (page) => page.getByRole("button", { name: /sign out/ }).click(),
  },
  "the choice of a cluster": {
    path: () => "/nodes",
    open: (page) =>
      page
        .getByRole("banner")
        .getByRole("button", { name: /^Cluster/ })
        .click(),
  },
  "the choice of a time range": {
    path: () => "/",
    open: (page) =>
      page
        .getByRole("banner")
        .getByRole("button", { name: /last|range/i })
        .click(),
  },
  "the list of keys": { path: () => "/nodes", open: (page) => page.keyboard.press("?") },
  "the form of an API key": {
    path: () => "/settings/api-keys",
    open: (page) => page.getByRole("button", { name: "Make a key" }).click(),
  },
  "the form of an invitation": {
    path: () => "/settings/members",
    open: (page) => page.getByRole("button", { name: "Invite somebody" }).click(),
  },
  "the form of an identity provider": {
    path: () => "/settings/identity-providers",
    open: (page) => page.getByRole("button", { name: "Add a provider" }).click(),
  },
  "the form of a machine of one's own": {
    path: () => "/costs/price-book",
    open: (page) => page.getByRole("button", { name: "Add a machine" }).click(),
  },
  "the form of a negotiated price": {
    path: () => "/costs/price-book",
    open: (page) => page.getByRole("button", { name: "Add a price" }).click(),
  },
  "a form with mistakes": {
    path: () => "/exposures/new",
    open: async (page) => {
      await page.getByRole("button", { name: "Create exposure" }).click();
      await expect(page.getByLabel("Workload name")).toHaveAttribute("aria-invalid", "true");
    },
  },
};

for (const [name, { path, open }] of Object.entries(dialogs))
  test(`everybody can use ${name}, in light and in dark`, async ({ page }) => {
    await page.setViewportSize(desktop);
    await page.goto(path());
    await settled(page);
    await open(page);
    await violationsIn(page, "light");
    await violationsIn(page, "dark");
  });

test("everybody can use all pages' drawer on a phone", async ({ page }) => {
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
    "/invitations/aaaaaaaaaaaaaaaaaaaaaaaa",
    "/no/such/page",
  ])
    test(`everybody can use ${path}, in light, in dark and on a phone`, async ({ page }) => {
      await page.setViewportSize(desktop);
      await page.goto(path);
      await everywhere(page);
    });
});

/** Light, dark, and a phone, where nothing may be wider than the screen. Inside the frame only the content scrolls. */
async function everywhere(page: Page, part = "html"): Promise<void> {
  await violationsIn(page, "light", part);
  await violationsIn(page, "dark", part);
  const behind = await page.evaluate(() => {
    const { scrollHeight, clientHeight } = document.documentElement;
    return document.querySelector("#main") ? scrollHeight - clientHeight : 0;
  });
  expect(behind, "pixels to scroll behind the frame").toBe(0);
  await page.setViewportSize(phone);
  await violationsIn(page, "light", part);
  const wide = await page.evaluate(() => {
    const holders = [document.documentElement, ...document.querySelectorAll("main, [role=grid], [role=dialog]")];
    return holders
      .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1)
      .map((each) => `${each.tagName.toLowerCase()} ${each.scrollWidth} > ${each.clientWidth}`);
  });
  expect(wide, "wider than a phone").toEqual([]);
}

async function violationsIn(page: Page, colorScheme: "light" | "dark", part = "html"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
  // Colours in between are nobody's choice; what moves without end, as something that loads does, is at rest never.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every((each) => each.playState !== "running" || each.effect?.getComputedTiming().endTime === Infinity),
  );
  const { violations } = await new AxeBuilder({ page }).include(part).withTags(tags).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(" | ")}`);
  expect(found, `violations in ${colorScheme}`).toEqual([]);
}

/** The node of this very machine: the one that is not seeded reports now. */
async function localNode(rest: import("@playwright/test").APIRequestContext): Promise<string> {
  const answer = await rest.get("/api/v1/nodes?sort=lastReportAt&direction=desc&limit=1");
  const { items } = (await answer.json()) as { items: { name: string }[] };
  return items[0]?.name ?? "";
}
