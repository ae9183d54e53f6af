import { owner, storageState } from "./support/product.ts";
import { expect, test } from "./support/test.ts";

test("a wrong password is rejected with a message, and its field is focused", async ({ page }) => {
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(owner.email);
  await page.getByLabel("Password").fill("not-the-password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Incorrect email or password" })).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue(owner.email);
  await expect(page.getByLabel("Password")).toBeFocused();
});

test("a signed-out user sees nothing of the dashboard", async ({ page }) => {
  for (const path of ["/", "/exposures", "/nodes", "/settings"]) {
    const answer = await page.goto(path);
    expect(answer?.status()).toBe(200);
    await expect(page).toHaveURL(/\/sign-in/);
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Main" })).toHaveCount(0);
    expect(await page.content()).not.toMatch(/nod_[0-9a-z]|owner@example\.test/);
  }
});

test("the API rejects requests without a session", async ({ request }) => {
  expect((await request.get("/api/v1/exposures")).status()).toBe(401);
  expect((await request.get("/api/trpc/exposure.list?input=%7B%22json%22%3A%7B%7D%7D")).status()).toBe(401);
});

test("signing in leads back to the requested page", async ({ page }) => {
  await page.goto("/exposures?density=compact");
  await page.getByLabel("Email").fill(owner.email);
  await page.getByLabel("Password").fill(owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/exposures\?density=compact/);
  await expect(page.getByRole("heading", { name: "Exposures", level: 1 })).toBeVisible();
  await page.context().storageState({ path: storageState });
});

test("signing in never leads to another site", async ({ page }) => {
  await page.goto("/sign-in?returnTo=https%3A%2F%2Fexample.com%2F");
  await page.getByLabel("Email").fill(owner.email);
  await page.getByLabel("Password").fill(owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe("/");
});

test("signing out ends the session on the server too, and no request of the page is rejected meanwhile", async ({
  page,
}) => {
  await page.clock.install();
  const inFlight = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  // A chart's request is on its way while the session ends. If the page did not abort it, it would be rejected.
  await page.route("**/api/trpc/**series.chart**", async (route) => {
    inFlight.resolve();
    await ended.promise;
    await route.continue();
  });
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(owner.email);
  await page.getByLabel("Password").fill(owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  await inFlight.promise;
  const cookies = await page.context().cookies();
  await page.route("**/api/auth/sign-out", async (route) => {
    const response = await route.fetch();
    ended.resolve();
    // Charts request their data every ten seconds: not once the session is over, though the page is still there.
    await page.clock.runFor(11_000);
    await route.fulfill({ response });
  });
  await page.getByRole("button", { name: /sign out/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
  await page.context().addCookies(cookies);
  await page.goto("/exposures");
  await expect(page).toHaveURL(/\/sign-in/);
});
