import { expect, type Page } from "@playwright/test";

/** chooseCluster selects a cluster in the form of an exposure. */
export async function chooseCluster(page: Page, { id }: { id: string }): Promise<void> {
  const cluster = page.getByRole("combobox", { name: "Cluster" });
  await expect(cluster.locator(`option[value="${id}"]`)).toHaveCount(1);
  await cluster.selectOption(id);
}
