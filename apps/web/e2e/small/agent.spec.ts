import { agentPid } from "../support/product.ts";
import { first } from "../support/rest.ts";
import { settled } from "../support/settled.ts";
import { expect, test } from "../support/test.ts";

test("an agent that stops reporting turns grey and silent everywhere, and live again once it reports", async ({
  page,
  context,
  request,
}) => {
  test.setTimeout(180_000);
  const node = await first(request, "nodes");
  const pid = agentPid();
  const overview = await context.newPage();
  await page.goto("/nodes");
  await overview.goto("/");
  const row = page.getByRole("grid", { name: "Nodes" }).getByRole("row").filter({ hasText: node.name });
  await expect(row).toContainText(/In sync|Out of sync/);
  const listed = overview.getByRole("region", { name: "Needs attention" }).getByRole("listitem");
  const problem = listed.filter({ hasText: "Silent" }).filter({ hasText: node.name });
  await settled(overview);
  await expect(problem).toHaveCount(0);

  process.kill(pid, "SIGSTOP");
  try {
    await expect(row.locator("time").first()).toHaveText(/silent$/, { timeout: 25_000 });
    const grey = await colourOf(page, "--silent");
    await expect(row.locator("time").first()).toHaveCSS("color", grey);
    await expect(row).toContainText("Silent", { timeout: 15_000 });
    // Silence that lasts less than a minute isn't listed.
    await expect(problem).toHaveCount(0);
    await expect(problem).toContainText("Problem: Silent", { timeout: 60_000 });
    await expect(problem).toContainText("check that the machine runs");
    await expect(overview.getByText(/1 node is silent.* As of/)).toBeVisible();
    await expect(problem.getByRole("link", { name: `Check agent: ${node.name}` })).toHaveAttribute(
      "href",
      `/nodes/${node.id}`,
    );
    await page.goto(`/nodes/${node.id}`);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Silent");
    await expect(page.getByText("The node is silent. This is its last report.").first()).toBeVisible();
  } finally {
    process.kill(pid, "SIGCONT");
  }
  await expect(page.getByRole("heading", { level: 1 })).toContainText("In sync", { timeout: 30_000 });
  await expect(problem).toHaveCount(0, { timeout: 30_000 });
  await expect(overview.getByText(/1 node is silent/)).toHaveCount(0);
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
