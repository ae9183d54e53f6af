import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { covered, type Opening } from "./limits.ts";
import type { Stack } from "./stack.ts";

const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args });
}

// Plain selectors: to find by role, Playwright computes the names and styles of the whole page
// repeatedly, and half a second of that would count as the page's own time.
const heading = (page: Page, text: string) => page.locator("h1", { hasText: text });

/** measureVisibility changes an exposure in one browser and returns how long another took to show it. */
export async function measureVisibility(browser: Browser, stack: Stack, times: number): Promise<number[]> {
  const [first, second] = [await signedIn(browser, stack), await signedIn(browser, stack)];
  const writer = await first.newPage();
  const reader = await second.newPage();
  const exposure = await anExposure(stack);
  await Promise.all([
    writer.goto(`${stack.url}/exposures/${exposure.id}`),
    reader.goto(`${stack.url}/exposures/${exposure.id}`),
  ]);
  await heading(reader, exposure.name).waitFor();
  const took: number[] = [];
  for (let i = 0; i < times; i++) {
    const name = `renamed-${i}-${exposure.name}`.slice(0, 60);
    const seen = heading(reader, name).waitFor({ timeout: 20_000 });
    const began = performance.now();
    await rename(writer, exposure.id, name);
    await seen;
    took.push(performance.now() - began);
    await reader.waitForTimeout(250 + (i % 7) * 90); // not in step with any poll
  }
  await Promise.all([first.close(), second.close()]);
  return took;
}

const windowMs = 2_000;

/**
 * measureTable opens the list of load balancers in a new browser and returns the time until its
 * rows were shown and keys worked.
 */
export async function measureTable(browser: Browser, stack: Stack, times: number): Promise<Opening[]> {
  const openings: Opening[] = [];
  for (let i = 0; i < times; i++) {
    const context = await signedIn(browser, stack);
    const page = await context.newPage();
    // A user's browser is already open. A new window loads some three hundred files of its own (the
    // address bar is a page too), which uses a core for a second and would count as the table's
    // time.
    await page.waitForTimeout(windowMs);
    const inspector = await context.newCDPSession(page);
    await inspector.send("Performance.enable");
    const began = performance.now();
    await page.goto(`${stack.url}/load-balancers`, { waitUntil: "commit" });
    await showsLastRow(page);
    const took = performance.now() - began;
    const { metrics } = await inspector.send("Performance.getMetrics");
    openings.push({ took, ...mainThread(metrics), answers: await awaitedAnswers(page) });
    await context.close();
    // The next opening must not be measured while the processes of the last one are still ending.
    await sleep(3_000);
  }
  return openings;
}

/**
 * mainThread returns the work of a page's main thread so far. There is no separate figure for
 * painting.
 */
function mainThread(metrics: { name: string; value: number }[]): Omit<Opening, "took" | "answers"> {
  const ms = (name: string) => 1_000 * (metrics.find((each) => each.name === name)?.value ?? 0);
  const script = ms("ScriptDuration");
  const layoutAndStyle = ms("LayoutDuration") + ms("RecalcStyleDuration");
  return { script, layoutAndStyle, paintAndRest: Math.max(0, ms("TaskDuration") - script - layoutAndStyle) };
}

/**
 * awaitedAnswers is how long the page waited for its document or for data; files come from a cache,
 * or load in parallel.
 */
async function awaitedAnswers(page: Page): Promise<number> {
  const spans = await page.evaluate<[number, number][]>(
    `performance.getEntries()
      .filter((each) => ["navigation", "fetch", "xmlhttprequest"].includes(each.initiatorType) && each.responseEnd > 0)
      .map((each) => [each.requestStart, each.responseEnd])`,
  );
  return covered(spans);
}

/** Interactive means that keys work: End scrolls to the last row. */
async function showsLastRow(page: Page): Promise<void> {
  const grid = page.locator("[role=grid]:visible"); // streamed content is hidden next to it
  await grid.locator("[aria-rowindex='2']").waitFor();
  const last = grid.locator(`[aria-rowindex='${await grid.getAttribute("aria-rowcount")}']:not([aria-busy=true])`);
  const deadline = Date.now() + 20_000;
  while (!(await last.isVisible())) {
    if (Date.now() > deadline) throw new Error("the last row was not shown within 20 s");
    await grid.focus();
    await page.keyboard.press("End"); // pressed again while the page doesn't handle keys yet
    await page.waitForTimeout(25);
  }
}

async function signedIn(browser: Browser, stack: Stack): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const cookies = stack.cookie.split("; ").map((pair) => {
    const at = pair.indexOf("=");
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url: stack.url };
  });
  await context.addCookies(cookies);
  return context;
}

async function anExposure(stack: Stack): Promise<{ id: string; name: string }> {
  const response = await fetch(`${stack.url}/api/v1/exposures?limit=1`, {
    headers: { authorization: `Bearer ${stack.key}` },
  });
  const [exposure] = ((await response.json()) as { items: { id: string; name: string }[] }).items;
  if (!exposure) throw new Error("there is no exposure to change");
  return exposure;
}

async function rename(page: Page, id: string, name: string): Promise<void> {
  const origin = new URL(page.url()).origin;
  const response = await page.request.patch(`${origin}/api/v1/exposures/${id}`, {
    data: { name },
    headers: { origin },
  });
  if (!response.ok()) throw new Error(`the change returned ${response.status()}`);
}
