import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { first } from "../support/rest.ts";
import { settled } from "../support/settled.ts";
import { expect, test } from "../support/test.ts";

async function download(page: Page, item: string): Promise<{ name: string; content: Buffer }> {
  await page.getByRole("button", { name: "Download CPU" }).click();
  const started = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: item }).click();
  const file = await started;
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
}

/** The colours of a picture that cover more than a few pixels, as the browser decodes it. */
const coloursOf = (page: Page, png: Buffer) =>
  page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext("2d");
    if (!context) throw new Error("no canvas");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const counts = new Map<string, number>();
    for (let i = 0; i < data.length; i += 4) {
      const colour = [...data.slice(i, i + 3)].map((part) => part.toString(16).padStart(2, "0")).join("");
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    const colours = [...counts].filter(([, count]) => count > 20).map(([colour]) => colour);
    return { width: image.width, height: image.height, colours };
  }, png.toString("base64"));

test("a chart can be saved as CSV and as a picture", async ({ page, request }) => {
  const node = await first(request, "nodes");
  await page.goto(`/nodes/${node.id}`);
  await settled(page);
  const csv = await download(page, "As CSV");
  expect(csv.name).toMatch(/^cpu-.+-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.csv$/);
  const [header = "", ...rows] = csv.content.toString().trimEnd().split("\r\n");
  expect(header.split(",")[0]).toBe("time");
  expect(header).toContain("(ratio)");
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expect(row).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z,/);

  const png = await download(page, "As PNG");
  expect(png.name).toMatch(/^cpu-.+\.png$/);
  const { width, height, colours } = await coloursOf(page, png.content);
  const plot = await page.locator("svg[data-plot]").first().boundingBox();
  expect(width).toBeGreaterThan(2 * (plot?.width ?? Number.NaN));
  expect(height).toBeGreaterThan(2 * (plot?.height ?? Number.NaN));
  // The colour of the page, of its texts and of the first line.
  expect(colours).toEqual(expect.arrayContaining(["fcfcfd", "15181c", "0072b2"]));
});

test("a chart marks the events of its object, and shows the text of the one under the cursor", async ({
  page,
  request,
}) => {
  const node = await first(request, "nodes");
  await page.goto(`/nodes/${node.id}?range=1h`);
  await settled(page);
  const chart = page.getByRole("slider", { name: "Moment in CPU" });
  const mark = chart.locator("[data-event=AgentEnrolled]");
  await expect(mark).toBeVisible();
  const [place, box] = await Promise.all([mark.boundingBox(), chart.boundingBox()]);
  if (!place || !box) throw new Error("not on screen");
  await chart.hover({ position: { x: place.x - box.x, y: box.height / 2 } });
  // Other events of the first minute are at the same place.
  await expect(chart.locator("p")).toContainText(node.name);
  await page.mouse.move(0, 0);
  await expect(chart.locator("p")).toBeHidden();
});

test("a node's pressure is a chart, or the page shows why the kernel doesn't measure it", async ({ page, request }) => {
  const { id } = await first(request, "nodes");
  const answer = await request.get(`/api/v1/nodes/${id}`);
  const { facts, roundTripsTo } = (await answer.json()) as {
    facts: { kernelFeatures: { name: string; available: boolean }[] };
    roundTripsTo: unknown[];
  };
  const pressure = facts.kernelFeatures.find(({ name }) => name === "pressure");
  await page.goto(`/nodes/${id}`);
  await settled(page);
  const chart = page.getByRole("region", { name: "Pressure" });
  if (pressure?.available) {
    await expect(chart).toContainText("share of the time in which processes wait");
    await expect(chart).toContainText("memory, all processes");
    await expect(chart).toContainText("%");
  } else {
    await expect(chart).toHaveCount(0);
    await expect(page.getByText("No pressure chart.")).toBeVisible();
  }
  // The only node of its cluster has no empty chart.
  await expect(page.getByRole("region", { name: "Round trip" })).toHaveCount(roundTripsTo.length > 0 ? 1 : 0);
});

test("the cursor is in all charts of a page, and a drag zooms into its range until the way back", async ({
  page,
  request,
}) => {
  const node = await first(request, "nodes");
  await page.goto(`/nodes/${node.id}?range=1h`);
  await settled(page);
  const chart = page.getByRole("slider", { name: "Moment in CPU" });
  const other = page.getByRole("slider", { name: /^Moment in (?!CPU)/ }).first();
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  if (!box) throw new Error("not on screen");
  const [y, quarter, half] = [box.y + box.height / 2, box.x + box.width / 4, box.x + box.width / 2];
  await page.mouse.move(half, y);
  const at = Number(await chart.getAttribute("aria-valuenow"));
  await expect(other).toHaveAttribute("aria-valuenow", String(at));

  await page.mouse.move(quarter, y);
  const from = Number(await chart.getAttribute("aria-valuenow"));
  await page.mouse.down();
  await page.mouse.move(half, y, { steps: 5 });
  const to = Number(await chart.getAttribute("aria-valuenow"));
  await page.mouse.up();
  await page.waitForURL(/[?&]from=/);
  const range = new URL(page.url()).searchParams;
  const tolerance = (to - from) / 50;
  expect(Math.abs(Date.parse(range.get("from") ?? "") - from)).toBeLessThan(tolerance);
  expect(Math.abs(Date.parse(range.get("to") ?? "") - to)).toBeLessThan(tolerance);
  await page.goBack();
  await expect(other).toBeVisible();
  expect(new URL(page.url()).search).toBe("?range=1h");
});

test.describe("with fingers", () => {
  test.use({ hasTouch: true });

  test("two zoom into the range between them, and one moves the cursor", async ({ page, request }) => {
    const node = await first(request, "nodes");
    await page.goto(`/nodes/${node.id}?range=1h`);
    await settled(page);
    const chart = page.getByRole("slider", { name: "Moment in CPU" });
    await chart.scrollIntoViewIfNeeded();
    const box = await chart.boundingBox();
    if (!box) throw new Error("not on screen");
    const fingers = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...shares: number[]) =>
      fingers.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: shares.map((share, id) => ({ id, x: box.x + box.width * share, y: box.y + box.height / 2 })),
      });
    await touch("touchStart", 0.5);
    await touch("touchMove", 0.6);
    await touch("touchEnd");
    expect(new URL(page.url()).search).toBe("?range=1h");

    await touch("touchStart", 0.5);
    await touch("touchStart", 0.5, 0.6);
    await touch("touchMove", 0.4, 0.8);
    await touch("touchEnd");
    await page.waitForURL(/[?&]from=/);
    const range = new URL(page.url()).searchParams;
    const hours = (Date.parse(range.get("to") ?? "") - Date.parse(range.get("from") ?? "")) / 3_600_000;
    expect(hours).toBeGreaterThan(0.4);
    expect(hours).toBeLessThan(0.55);
  });
});
