import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { dataFolder, root } from "./support/product.ts";
import { ensurePool, totalOf } from "./support/rest.ts";
import { expect, test } from "./support/test.ts";

export const sizes = { clusters: 20, loadBalancers: 10_000, agents: 50 };

test("a large fleet is seeded", async ({ request }) => {
  test.setTimeout(180_000);
  if ((await totalOf(request, "load-balancers")) < sizes.loadBalancers)
    await promisify(execFile)(
      process.execPath,
      [
        path.join(root, "tools/seed/main.ts"),
        "--clusters",
        String(sizes.clusters),
        "--load-balancers",
        String(sizes.loadBalancers),
        "--agents",
        String(sizes.agents),
        // Later than the end of the tests: ten thousand first reconciliations would use half of the machine.
        "--first-look-minutes",
        "240",
      ],
      { cwd: root, env: { ...process.env, FAIRLEAD_DATA: dataFolder, DATABASE_URL: "" } },
    );
  // Before the tests run side by side: a cluster has each prefix once.
  await ensurePool(request);
  expect(await totalOf(request, "load-balancers")).toBeGreaterThanOrEqual(sizes.loadBalancers);
});
