import type { APIRequestContext } from "@playwright/test";
import { storageState } from "../support/product.ts";
import { createExposure, first, remove, unique } from "../support/rest.ts";
import { desktop, mostScreens, screensOf } from "../support/screens.ts";
import { settled } from "../support/settled.ts";
import { showTab } from "../support/show-tab.ts";
import { expect, test } from "../support/test.ts";

const phone = { width: 390, height: 844 };

type Ids = Record<
  "created" | "ecmp" | "perReplica" | "cloud" | "ours" | "provided" | "cluster" | "local" | "node",
  string
>;
let ids: Ids;

test.beforeAll(async ({ browser }) => {
  const context = await browser.newContext({ storageState });
  const rest = context.request;
  const largest = (strategy: string) => first(rest, "exposures", `strategy=${strategy}&sort=name&direction=desc`);
  const [created, ecmp, perReplica, cloud, cluster, local] = await Promise.all([
    createExposure(rest, unique("long")),
    largest("ecmp"),
    largest("per-replica"),
    largest("cloud"),
    first(rest, "clusters", "search=-01"),
    first(rest, "clusters", "search=local"),
  ]);
  const balancerOf = (exposure: { id: string }) => first(rest, "load-balancers", `exposureId=${exposure.id}`);
  const [ours, provided, node] = await Promise.all([balancerOf(ecmp), balancerOf(cloud), localNode(rest)]);
  ids = {
    ...{ created: created.id, ecmp: ecmp.id, perReplica: perReplica.id, cloud: cloud.id, ours: ours.id },
    ...{ provided: provided.id, cluster: cluster.id, local: local.id, node: node.id },
  };
  await context.close();
});

test.afterAll(async ({ browser }) => {
  const context = await browser.newContext({ storageState });
  await remove(context.request, "exposures", ids.created);
  await context.close();
});

const pages: Record<string, () => string> = {
  "a new exposure": () => `/exposures/${ids.created}`,
  "an exposure with ECMP": () => `/exposures/${ids.ecmp}`,
  "an exposure per replica": () => `/exposures/${ids.perReplica}`,
  "an exposure in a cloud": () => `/exposures/${ids.cloud}`,
  "a load balancer": () => `/load-balancers/${ids.ours}`,
  "a cloud load balancer": () => `/load-balancers/${ids.provided}`,
  "a large cluster": () => `/clusters/${ids.cluster}`,
  "the local cluster": () => `/clusters/${ids.local}`,
  "a node": () => `/nodes/${ids.node}`,
};

for (const [name, path] of Object.entries(pages))
  test(`no part of ${name} is longer than two screens, or squeezed on a phone`, async ({ page }) => {
    await page.setViewportSize(desktop);
    await page.goto(path());
    await settled(page);
    const labels = await page
      .getByRole("tab")
      .evaluateAll((tabs) => tabs.map((tab) => tab.firstChild?.nodeValue ?? ""));
    expect(labels.length).toBeGreaterThan(3);
    const screens: Record<string, number> = {};
    for (const label of labels) {
      await showTab(page, label);
      await settled(page);
      screens[label] = await screensOf(page);
    }
    test.info().annotations.push({ type: "measured", description: JSON.stringify(screens) });
    console.log(`    ${name}: ${JSON.stringify(screens)} screens`);
    expect(Object.entries(screens).filter(([, count]) => count > mostScreens)).toEqual([]);

    await page.setViewportSize(phone);
    for (const label of labels) {
      await showTab(page, label);
      await settled(page);
      expect(await page.evaluate(tooNarrow), `${label} on a phone`).toEqual([]);
    }
  });

/** tooNarrow lists what is wider than the screen, and headings that wrap although there is space next to them. */
function tooNarrow(): string[] {
  const main = document.querySelector("main");
  if (!main) throw new Error("The page has no content.");
  const wide = [document.documentElement, main]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ tagName, scrollWidth }) => `${tagName} is ${scrollWidth} px wide`);
  const squeezed = [...main.querySelectorAll("h1, h2, h3")]
    .filter((heading) => heading.checkVisibility())
    .filter((heading) => {
      const { width, height } = heading.getBoundingClientRect();
      const isWrapped = height > 1.5 * Number.parseFloat(getComputedStyle(heading).lineHeight);
      return isWrapped && width < 0.6 * main.clientWidth;
    })
    .map((heading) => `“${heading.textContent}” is squeezed`);
  return [...wide, ...squeezed];
}

/** The node of this machine: its agent reports, the seeded ones are silent. */
async function localNode(rest: APIRequestContext): Promise<{ id: string }> {
  return first(rest, "nodes", "sort=lastReportAt&direction=desc");
}
