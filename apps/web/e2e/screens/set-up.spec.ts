import { query } from "../support/database.ts";
import { test } from "../support/test.ts";
import { take } from "./take.ts";

test("set-up, of an installation without users", async ({ page }) => {
  await query(`TRUNCATE "user" CASCADE`);
  await take(page, "empty", "set-up", "/set-up");
});
