import { newId } from "@fairlead/domain";
import type { Session } from "@fairlead/domain/access";
import type { LoadBalancer } from "@fairlead/domain/load-balancer";
import { query } from "../support/database.ts";
import { create, createExposure, remove, unique } from "../support/rest.ts";
import { expect, test, watch } from "../support/test.ts";

test("an owner takes the address maps from a viewer, and returns them", async ({
  page,
  browser,
  request,
  noProblems,
}) => {
  const exposure = await createExposure(request, unique("mapped"));
  const read = async <Answer>(path: string) => (await (await request.get(`/api/v1/${path}`)).json()) as Answer;
  const { items } = await read<{ items: LoadBalancer[] }>(`load-balancers?exposureId=${exposure.id}`);
  const { organization } = await read<Session>("session");
  const { id: balancerId = "", address } = items[0] ?? {};
  if (!address) throw new Error("The exposure has no address.");
  await query(
    `INSERT INTO address_mapping (id, organization_id, exposure_id, load_balancer_id, instance, protocol, internal_address,
       internal_port, external_address, external_port, ready, since, generation, observed_at)
     VALUES ($1, $2, $3, $4, 'mapped-0', 'tcp', '100.64.9.1'::inet, 6379, $5, 7000, true, now(), 1, now())`,
    [newId("addressMapping"), organization.id, exposure.id, balancerId, address],
  );
  const name = unique("Mara");
  const invited = { email: `${name.toLowerCase()}@example.test`, role: "viewer" };
  const { path } = await create<{ path: string }>(request, "invitations", invited);

  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
  watch(context, noProblems);
  const viewer = await context.newPage();
  await viewer.goto(path);
  await viewer.getByLabel("Your name").fill(name);
  await viewer.getByLabel("Choose a password").fill("a-few-Words-9");
  await viewer.getByRole("button", { name: "Join" }).click();
  await expect(viewer.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  const pages = viewer.getByRole("navigation").first();
  await viewer.goto(`/exposures/${exposure.id}`);
  await expect(viewer.getByText(address).first()).toBeVisible();
  await expect(pages.getByRole("link", { name: "Mappings" })).toBeVisible();

  await page.goto("/settings/members");
  const mayRead = page.getByRole("checkbox", { name: `${name} may read address maps` });
  await expect(mayRead).toBeChecked();
  await mayRead.click();
  await expect(page.getByText(`${name} may not read address maps any more.`)).toBeVisible();
  await expect(mayRead).not.toBeChecked();

  await test.step("the viewer sees why there are no addresses", async () => {
    await viewer.goto(`/exposures/${exposure.id}`);
    await expect(viewer.getByText("You may not read address maps.").first()).toBeVisible();
    await expect(viewer.getByText(address)).toHaveCount(0);
    await expect(pages.getByRole("link", { name: "Mappings" })).toHaveCount(0);
    await viewer.goto(`/load-balancers?exposure=${exposure.id}`);
    await expect(viewer.getByRole("grid", { name: "Load balancers" })).toContainText(exposure.name);
    await expect(viewer.getByRole("columnheader", { name: "Address" })).toHaveCount(0);
    await viewer.goto("/mappings");
    await expect(viewer.getByText("You may not read address maps. Ask an owner.")).toBeVisible();
    expect((await context.request.get("/api/v1/mappings")).status()).toBe(403);
    await viewer.goto("/settings/members");
    await expect(viewer.getByRole("checkbox", { name: `${name} may read address maps` })).toBeDisabled();
  });

  await test.step("and has them back", async () => {
    await mayRead.click();
    await expect(page.getByText(`${name} may read address maps again.`)).toBeVisible();
    await viewer.goto(`/exposures/${exposure.id}`);
    await expect(viewer.getByText(address).first()).toBeVisible();
    await viewer.goto("/mappings");
    await expect(viewer.getByRole("grid", { name: "Mappings" })).toContainText("mapped-0");
  });
  await context.close();
  await remove(request, "exposures", exposure.id);
});
