import { expect, type Page } from "@playwright/test";

/** chooseLocalCluster picks the cluster of this machine, whatever others there are. */
export async function chooseLocalCluster(page: Page): Promise<void> {
  const cluster = page.getByRole("combobox", { name: "Cluster" });
  const local = cluster.locator("option").filter({ hasText: /^local / });
  await expect(local).toHaveCount(1);
  await cluster.selectOption((await local.getAttribute("value")) ?? "");
}
