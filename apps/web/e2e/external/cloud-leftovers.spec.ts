import { newId } from "@fairlead/domain";
import { testCredentials } from "@fairlead/drivers/aws-testing";
import { query } from "../support/database.ts";
import { cloudUrl } from "../support/product.ts";
import { create, unique } from "../support/rest.ts";
import { expect, test } from "../support/test.ts";

// No cloud may answer at the address that these tests use, so they run with those that share it.
// The browser logs every form request that the server rejects.
test.use({ allowedProblems: /status of (404|409)/ });

test("a cluster whose cloud still has its addresses is deleted only once they are to be left there", async ({
  page,
  request,
}) => {
  const name = unique("cloud");
  const { id } = await create(request, "clusters", { name, kind: "machines" });
  const cloudRoute = {
    ...{ provider: "aws", region: "eu-central-1", endpoint: cloudUrl, method: "route" },
    ...{ routeTables: ["rtb-0a1b2c3d4e5f60718"], credentials: testCredentials },
  };
  expect((await request.patch(`/api/v1/clusters/${id}`, { data: { cloudRoute } })).status()).toBe(200);
  // As the reconciler records it before it routes an address. Its cloud no longer answers.
  await query(
    `INSERT INTO cloud_address (id, organization_id, cluster_id, address, load_balancer_id, decided_at, state)
     SELECT $2, organization_id, id, '192.0.2.77', $3, now(), 'placed' FROM cluster WHERE id = $1`,
    [id, newId("cloudAddress"), newId("loadBalancer")],
  );
  await page.goto(`/clusters/${id}`);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: `Delete ${name}?` });
  await expect(dialog).toContainText("Its cloud still routes 1 address: 192.0.2.77");
  await dialog.getByRole("button", { name: "Delete cluster" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Addresses of");
  expect((await request.get(`/api/v1/clusters/${id}`)).status()).toBe(200);
  await dialog.getByRole("checkbox", { name: /^Delete it anyway/ }).check();
  await dialog.getByRole("button", { name: "Delete cluster" }).click();
  await expect(page.getByText(`Deleted ${name}.`)).toBeVisible();
  expect((await request.get(`/api/v1/clusters/${id}`)).status()).toBe(404);
});
