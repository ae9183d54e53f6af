import { expect, type Page } from "@playwright/test";

/** chooseLocalCluster selects the cluster of this machine. */
export async function chooseLocalCluster(page: Page): Promise<void> {
  const cluster = page.getByRole("combobox", { name: "Cluster" });
  const local = cluster.locator("option").filter({ hasText: /^local / });
  await expect(local).toHaveCount(1);
  await cluster.selectOption((await local.getAttribute("value")) ?? "");
}
