import { everywhere } from "../support/accessibility.ts";
import { createExposure, first, remove, unique } from "../support/rest.ts";
import { expect, test, watch } from "../support/test.ts";

test("a viewer, invited by a link, sees every page, can change nothing, and sees the reasons", async ({
  page,
  browser,
  request,
  noProblems,
}) => {
  const exposure = await createExposure(request, unique("seen"));
  const node = await first(request, "nodes");
  const email = `${unique("vera")}@example.test`;

  await page.goto("/settings/members");
  await page.getByRole("button", { name: "Invite member" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite a member" });
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Role").selectOption("viewer");
  await dialog.getByRole("button", { name: "Create link" }).click();
  const shown = page.getByRole("dialog", { name: `The invitation for ${email}` });
  await expect(shown).toContainText("/invitations/");
  const link = /https?:\/\/\S*?\/invitations\/[\w-]+/.exec((await shown.innerText()) ?? "")?.[0] ?? "";
  await shown.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("table", { name: "Invitations" })).toContainText(email);

  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
  watch(context, noProblems);
  const viewer = await context.newPage();
  await viewer.goto(link);
  await expect(viewer.getByText("You are invited as a viewer")).toBeVisible();
  await everywhere(viewer);
  await viewer.getByLabel("Your name").fill("Vera");
  await viewer.getByLabel("Choose a password").fill("a-few-Words-9");
  await viewer.getByRole("button", { name: "Join" }).click();
  await expect(viewer.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();

  await test.step("the invitation works once", async () => {
    const second = await browser.newContext({ storageState: { cookies: [], origins: [] } });
    const other = await second.newPage();
    await other.goto(link);
    await expect(other.getByRole("heading", { name: "This invitation is no longer valid" })).toBeVisible();
    await second.close();
  });

  await test.step("every page is visible, and none allows a change", async () => {
    for (const [path, title] of lists) {
      await viewer.goto(path);
      await expect(viewer.getByRole("heading", { level: 1, name: title, exact: true })).toBeVisible();
      await expect(viewer.getByRole("grid")).toBeVisible();
      for (const button of await viewer
        .getByRole("main")
        .getByRole("button", { name: /^(Create|Add|Delete|Remove)\b/ })
        .all())
        await expect(button).toBeDisabled();
      await expect(viewer.getByRole("checkbox")).toHaveCount(0);
    }
  });

  await test.step("the price book is not visible, and costs are list prices", async () => {
    await viewer.goto("/costs/price-book");
    await expect(viewer.getByRole("heading", { name: "Your role can't view the price book" })).toBeVisible();
    expect((await context.request.get("/api/v1/cost/price-book/machines")).status()).toBe(403);
    await viewer.goto("/costs");
    await expect(viewer.getByText("List prices: your role can't view the price book.")).toBeVisible();
  });

  await test.step("disabled controls show the reason", async () => {
    await viewer.goto(`/exposures/${exposure.id}`);
    await expect(viewer.getByRole("heading", { level: 1 })).toContainText(exposure.name);
    for (const name of ["Edit", "Delete"]) {
      const button = viewer.getByRole("button", { name, exact: true });
      await expect(button).toBeDisabled();
      await expect(button).toHaveAccessibleDescription(/As viewer you can't change exposures\. Ask an/);
      await button.click({ force: true });
      await expect(viewer.getByRole("dialog")).toHaveCount(0);
    }
    await viewer.goto(`/nodes/${node.id}?tab=agents`);
    await expect(viewer.getByLabel("Sample interval, seconds")).toBeDisabled();
    await expect(viewer.getByText(/As viewer you can't change nodes and agents/).first()).toBeVisible();
    await viewer.goto("/exposures/new");
    await expect(viewer.getByRole("button", { name: "Create exposure" })).toBeDisabled();
    await viewer.goto("/settings/members");
    await expect(viewer.getByRole("button", { name: "Invite member" })).toBeDisabled();
  });

  await test.step("the server rejects changes too, whatever the page shows", async () => {
    const rest = context.request;
    const tried = [
      await rest.post("/api/v1/clusters", { data: { name: "mine", kind: "machines" } }),
      await rest.delete(`/api/v1/exposures/${exposure.id}`),
      await rest.delete(`/api/v1/nodes/${node.id}`),
      await rest.post("/api/v1/api-keys", { data: { name: "k", role: "owner", scopes: ["cluster:write"] } }),
      await rest.post("/api/v1/invitations", { data: { email: "x@example.test", role: "owner" } }),
    ] as const;
    expect(tried.map((answer) => answer.status())).toEqual(tried.map(() => 403));
    expect(await tried[0].json()).toMatchObject({ status: 403, title: expect.any(String) });
    expect((await rest.get(`/api/v1/exposures/${exposure.id}`)).status()).toBe(200);
  });
  await context.close();
  await remove(request, "exposures", exposure.id);
});

const lists = [
  ["/exposures", "Exposures"],
  ["/nodes", "Nodes"],
  ["/clusters", "Clusters"],
  ["/address-pools", "Address pools"],
] as const;
