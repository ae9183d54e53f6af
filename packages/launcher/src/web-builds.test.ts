import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { root } from "./settings.ts";
import { dropUnusedBuilds, findBuild, markWhole, noteUser } from "./web-builds.ts";
import { webSources } from "./web-sources.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-builds-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("builds anew when any package under the dashboard changes, also one that only another package uses", () => {
  expect(webSources(root)).toEqual(
    expect.arrayContaining(["apps/web", "packages/api", "packages/db", "packages/domain", "packages/telemetry"]),
  );
});

it("takes a build only when it is whole, whoever made it", () => {
  expect(findBuild(path.join(folder, "nowhere"), "abc")).toBeNull();
  const made = path.join(folder, "made");
  for (const name of ["abc-1", "abc-2", "abd-3"]) mkdirSync(path.join(made, name), { recursive: true });
  markWhole(path.join(made, "abd-3"));
  expect(findBuild(made, "abc")).toBeNull();
  markWhole(path.join(made, "abc-2"));
  expect(findBuild(made, "abc")).toBe("abc-2");
});

it("keeps a build while somebody runs on it, and drops former ones that nobody uses", () => {
  const long = new Date(Date.now() - 7_200_000);
  for (const name of ["mine", "running", "crashed", "building"]) mkdirSync(path.join(folder, name));
  noteUser(path.join(folder, "running"));
  mkdirSync(path.join(folder, "crashed/users"));
  writeFileSync(path.join(folder, "crashed/users/7"), JSON.stringify({ pid: process.pid, startedAt: "another time" }));
  for (const name of ["mine", "running", "crashed"]) utimesSync(path.join(folder, name), long, long);
  dropUnusedBuilds(folder, "mine");
  expect(["mine", "running", "crashed", "building"].filter((name) => existsSync(path.join(folder, name)))).toEqual([
    "mine",
    "running",
    "building",
  ]);
});
