import { openPages, plainPages, signedOutPages } from "../support/pages.ts";
import { test } from "../support/test.ts";
import { take } from "./take.ts";

for (const [name, address] of Object.entries({ ...plainPages, ...openPages }))
  test(`${name}, empty`, ({ page }) => take(page, "empty", name, address));

for (const [name, addressOf] of Object.entries(signedOutPages))
  test(`${name}, signed out`, async ({ browser, request }) => {
    const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
    await take(await context.newPage(), "empty", name, await addressOf(request));
    await context.close();
  });
