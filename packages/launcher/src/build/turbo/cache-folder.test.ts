import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { turboCacheFolder } from "./cache-folder.ts";

const home = mkdtempSync(path.join(os.tmpdir(), "fairlead-turbo-"));
afterAll(() => rmSync(home, { recursive: true }));

const platform = `${process.platform}-${process.arch}`;

it.each([
  ["the user's cache", { HOME: home }, `${home}/.cache/fairlead/turbo/${platform}`],
  ["the folder for caches", { HOME: home, XDG_CACHE_HOME: `${home}/xdg` }, `${home}/xdg/fairlead/turbo/${platform}`],
  ["the folder that is set", { HOME: home, FAIRLEAD_CACHE: `${home}/ours` }, `${home}/ours/turbo/${platform}`],
])("is in %s, outside the checkout", (_, env, folder) => {
  expect(turboCacheFolder("/checkout", env)).toBe(folder);
});

it("is in the checkout where the shared folder can't be written", () => {
  writeFileSync(path.join(home, "file"), "");
  expect(turboCacheFolder("/checkout", { FAIRLEAD_CACHE: `${home}/file` })).toBe("/checkout/.turbo/cache");
});
