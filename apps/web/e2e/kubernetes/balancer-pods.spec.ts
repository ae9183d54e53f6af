import path from "node:path";
import { apply, test } from "../support/nodes.ts";
import { root } from "../support/product.ts";
import { create, unique } from "../support/rest.ts";
import { showTab } from "../support/show-tab.ts";
import { expect } from "../support/test.ts";

const image = "example.test/fairlead-agent:1";

test("balancers as pods join with the manifest of the dashboard, which shows when they have joined", async ({
  page,
  request,
  nodes,
}) => {
  test.setTimeout(240_000);
  const program = path.join(root, "agents/bin/fairlead-agent");
  await nodes.addImage(image, { files: [{ from: program, to: "/fairlead-agent" }], entrypoint: ["/fairlead-agent"] });
  const cluster = await create(request, "clusters", {
    name: unique("pods"),
    kind: "kubernetes",
    region: "eu-central-1",
    kubernetes: { kubeconfig: nodes.control.kubeconfig },
  });

  await page.goto(`/clusters/${cluster.id}`);
  await showTab(page, "Nodes");
  await page.getByRole("button", { name: "Balancers as pods" }).click();
  const dialog = page.getByRole("dialog", { name: `Balancers as pods of ${cluster.name}` });
  await dialog.getByLabel("Image").fill(image);
  await dialog.getByRole("button", { name: "Create manifest" }).click();
  const status = dialog.getByRole("status");
  await expect(status).toHaveText("Waiting for the first pod to connect.");
  await expect(dialog.getByRole("note")).toHaveCount(0);
  await apply(nodes, await dialog.getByRole("region", { name: "Manifest", exact: true }).innerText());
  await expect(status).toContainText("4 agents joined, two for each pod", { timeout: 90_000 });

  await status.getByRole("link", { name: `nodes of ${cluster.name}` }).click();
  for (const name of nodes.names)
    await expect(page.getByRole("grid", { name: "Nodes" }).getByRole("row", { name: new RegExp(name) })).toContainText(
      "In sync",
    );

  await nodes.control.api.delete("/apis/apps/v1/namespaces/fairlead/daemonsets/fairlead-balancer");
});
