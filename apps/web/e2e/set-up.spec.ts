import { everywhere } from "./support/accessibility.ts";
import { query } from "./support/database.ts";
import { owner } from "./support/product.ts";
import { expect, test } from "./support/test.ts";

test.use({ contextOptions: { reducedMotion: "reduce" } });

test("an installation without an account gets its first owner in the browser, only once", async ({ page }) => {
  await query(`TRUNCATE "user" CASCADE`);
  await page.goto("/");
  await expect(page).toHaveURL(/\/set-up$/);
  await everywhere(page);
  await page.getByLabel("Your name").fill("Ada");
  await page.getByLabel("Email").fill(owner.email);
  await page.getByLabel("Password").fill(owner.password);
  await page.getByRole("button", { name: "Create owner account" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await page.context().clearCookies();
  await page.goto("/set-up");
  await expect(page).toHaveURL(/\/sign-in$/);
});
