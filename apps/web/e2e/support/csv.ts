import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";

export type SavedCsv = { name: string; text: string; columns: string[]; rows: string[][] };

/** saveCsv presses a button and returns the file that the browser saves. No value of these rows has a comma. */
export async function saveCsv(page: Page, button: string): Promise<SavedCsv> {
  const started = page.waitForEvent("download");
  await page.getByRole("button", { name: button, exact: true }).click();
  const file = await started;
  const text = await readFile(await file.path(), "utf8");
  const [columns = [], ...rows] = text
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","));
  return { name: file.suggestedFilename(), text, columns, rows };
}
