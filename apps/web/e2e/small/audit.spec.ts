import { readFile } from "node:fs/promises";
import { expect, test } from "../support/test.ts";

test("the audit log has the sign-in, and is exported as the filters show it", async ({ page }) => {
  await page.goto("/audit?q=session.start");
  const grid = page.getByRole("grid");
  await expect(grid.getByRole("row").filter({ hasText: "session.start" }).first()).toBeVisible();

  const saved = async (format: "CSV" | "NDJSON") => {
    await page.getByRole("button", { name: "Export" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: `As ${format}` }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(new RegExp(`^audit-org_\\w+-[\\d-]+\\.${format.toLowerCase()}$`));
    return (await readFile(await download.path(), "utf8")).trimEnd().split(/\r?\n/);
  };
  const [head, ...rows] = await saved("CSV");
  expect(head).toContain("actor_name,action,");
  const entries = (await saved("NDJSON")).map((line) => JSON.parse(line) as { action: string; after: object });
  expect(entries.length).toBe(rows.length);
  expect(new Set(entries.map(({ action }) => action))).toEqual(new Set(["session.start"]));
  // Other tests sign in by identity providers meanwhile.
  const details = expect.objectContaining({ method: "password", address: expect.stringMatching(/[.:]/) });
  expect(entries.map(({ after }) => after)).toContainEqual(details);
});
