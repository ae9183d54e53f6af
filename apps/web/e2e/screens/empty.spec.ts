import { openPages, plainPages } from "../support/pages.ts";
import { test } from "../support/test.ts";
import { take } from "./take.ts";

for (const [name, address] of Object.entries({ ...plainPages, ...openPages }))
  test(`${name}, empty`, ({ page }) => take(page, "empty", name, address));

for (const [name, address] of [
  ["sign-in", "/sign-in"],
  ["password", "/password"],
] as const)
  test(`${name}, signed out`, async ({ browser }) => {
    const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
    await take(await context.newPage(), "empty", name, address);
    await context.close();
  });
