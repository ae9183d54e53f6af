import { agentPid } from "../support/product.ts";
import { first } from "../support/rest.ts";
import { expect, test } from "../support/test.ts";

test("an agent that stops reporting turns grey and silent everywhere, and live again once it reports", async ({
  page,
  context,
  request,
}) => {
  test.setTimeout(120_000);
  const node = await first(request, "nodes");
  const pid = agentPid();
  const overview = await context.newPage();
  await page.goto("/nodes");
  await overview.goto("/");
  const row = page.getByRole("grid", { name: "Nodes" }).getByRole("row").filter({ hasText: node.name });
  await expect(row).toContainText(/In sync|Out of sync/);
  await expect(overview.getByText("The only node is reporting", { exact: false })).toBeVisible();

  process.kill(pid, "SIGSTOP");
  try {
    await expect(row.locator("time").first()).toHaveText(/silent$/, { timeout: 25_000 });
    const grey = await colourOf(page, "--silent");
    await expect(row.locator("time").first()).toHaveCSS("color", grey);
    await expect(row).toContainText("Silent", { timeout: 15_000 });
    await expect(overview.getByText(/0 of 1 nodes are reporting.*1 is silent/)).toBeVisible({ timeout: 15_000 });
    await expect(overview.getByRole("region", { name: "Needs attention" })).toContainText(node.name);
    await page.goto(`/nodes/${node.id}`);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Silent");
    await expect(page.getByText("The node is silent. This is its last report.").first()).toBeVisible();
  } finally {
    process.kill(pid, "SIGCONT");
  }
  await expect(page.getByRole("heading", { level: 1 })).toContainText("In sync", { timeout: 30_000 });
  await expect(overview.getByText("The only node is reporting", { exact: false })).toBeVisible({ timeout: 30_000 });
});

/** The computed colour of a custom property of the theme. */
async function colourOf(page: import("@playwright/test").Page, property: string): Promise<string> {
  return page.evaluate((name) => {
    const probe = document.createElement("span");
    probe.style.color = `var(${name})`;
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }, property);
}
