import { query } from "./support/database.ts";
import { passesLighthouse } from "./support/lighthouse.ts";
import { test } from "./support/test.ts";

test("set-up passes Lighthouse for performance and accessibility", async ({ baseURL, launchOptions }) => {
  await query(`TRUNCATE "user" CASCADE`);
  await passesLighthouse({ name: "set-up", baseURL, launchOptions, cookies: "", path: "/set-up" });
});
