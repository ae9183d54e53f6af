import { createExposure, first, remove, unique } from "../support/rest.ts";
import { expect, test } from "../support/test.ts";

test("the title of a tab names its object", async ({ page, request }) => {
  const exposure = await createExposure(request, unique("titled"));
  try {
    const [node, cluster] = await Promise.all([first(request, "nodes"), first(request, "clusters", "search=local")]);
    const titles = [
      ["/exposures", "Exposures · Fairlead"],
      [`/exposures/${exposure.id}`, `${exposure.name} · Exposures · Fairlead`],
      [`/exposures/${exposure.id}/edit`, `Edit ${exposure.name} · Exposures · Fairlead`],
      [`/nodes/${node.id}`, `${node.name} · Nodes · Fairlead`],
      [`/clusters/${cluster.id}`, `${cluster.name} · Clusters · Fairlead`],
      ["/costs/price-book", "Price book · Costs · Fairlead"],
    ] as const;
    for (const [path, title] of titles) {
      await page.goto(path);
      await expect(page).toHaveTitle(title);
    }
    await page.goto(`/exposures?q=${exposure.name}`);
    await page.getByRole("link", { name: exposure.name }).first().click();
    await expect(page).toHaveTitle(`${exposure.name} · Exposures · Fairlead`);
  } finally {
    await remove(request, "exposures", exposure.id);
  }
});

test.describe("a missing object", () => {
  test.use({ allowedProblems: /status of 4(04|22)/ });
  test("has a title without a name", async ({ page }) => {
    await page.goto("/exposures/exp_00000000000000000000000000");
    await expect(page).toHaveTitle("Exposure · Exposures · Fairlead");
  });
});
