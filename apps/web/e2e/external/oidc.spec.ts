import { startOidcServer } from "../../src/server/auth/testing/oidc-server.ts";
import { ports } from "../support/product.ts";
import { unique } from "../support/rest.ts";
import { expect, test, watch } from "../support/test.ts";

test("users of a company sign in with its provider, and become viewers", async ({
  page,
  browser,
  baseURL,
  noProblems,
}) => {
  const name = unique("corp");
  await page.goto("/settings/identity-providers");
  await page.getByRole("button", { name: "Add provider" }).click();
  const dialog = page.getByRole("dialog", { name: "Add an identity provider" });
  await dialog.getByLabel("Name").fill(name);
  const redirectUri = dialog.getByRole("region", { name: "Redirect URI" });
  await expect(redirectUri).toContainText(new RegExp(`${baseURL}/api/auth/sso/callback/org_[0-9a-z]+\\.${name}`));
  const server = await startOidcServer((await redirectUri.innerText()).trim(), ports.oidc);
  const ada = { sub: unique("ada"), email: `${unique("ada")}@corp.example.com`, email_verified: true, name: "Ada" };
  server.person = ada;
  try {
    await dialog.getByLabel("Issuer").fill(server.issuer);
    await dialog.getByLabel("Client id").fill(server.client.id);
    await dialog.getByLabel("Client secret").fill(server.client.secret);
    await dialog.getByLabel("Email domains").fill("corp.example.com");
    await dialog.getByRole("button", { name: "Add provider" }).click();
    await expect(dialog).toBeHidden();
    const row = page.getByRole("table", { name: "Identity providers" }).getByRole("row").filter({ hasText: name });
    await expect(row).toContainText(server.issuer);
    await expect(page.getByText(server.client.secret)).toHaveCount(0);

    const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
    watch(context, noProblems);
    const person = await context.newPage();
    await person.goto("/sign-in");
    await person.getByRole("link", { name: `Sign in with ${name}` }).click();
    await expect(person.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible({ timeout: 20_000 });
    await person.getByRole("button", { name: /^Ada: .*sign out/ }).click();
    await expect(person.getByRole("menu")).toContainText(/viewer of/);
    await context.close();

    await test.step("a user with an address of another domain is rejected, with the reason", async () => {
      server.person = { ...ada, sub: unique("eve"), email: "eve@elsewhere.example.com" };
      const other = await browser.newContext({ storageState: { cookies: [], origins: [] } });
      watch(other, noProblems);
      const outsider = await other.newPage();
      await outsider.goto("/sign-in");
      await outsider.getByRole("link", { name: `Sign in with ${name}` }).click();
      await expect(
        outsider.getByRole("alert").filter({ hasText: "is not allowed to sign in your email domain" }),
      ).toBeVisible();
      await other.close();
    });

    await row.getByRole("button", { name: "Remove" }).click();
    const confirm = page.getByRole("dialog", { name: `Remove ${name}?` });
    await confirm.getByRole("textbox").fill(name);
    await confirm.getByRole("button", { name: "Remove provider" }).click();
    await expect(row).toHaveCount(0);
  } finally {
    await server.stop();
  }
});
