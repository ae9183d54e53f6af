import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { recordUser, removeUnusedBuilds } from "./web-builds.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-builds-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("keeps builds that are in use or in progress, and removes unused ones", () => {
  const long = new Date(Date.now() - 7_200_000);
  const names = ["mine", "running", "crashed", "young", "built", "built.lock"];
  for (const name of names) mkdirSync(path.join(folder, name));
  recordUser(path.join(folder, "running"));
  mkdirSync(path.join(folder, "crashed/users"));
  writeFileSync(path.join(folder, "crashed/users/7"), JSON.stringify({ pid: process.pid, startedAt: "another time" }));
  for (const name of names.filter((name) => name !== "young")) utimesSync(path.join(folder, name), long, long);
  removeUnusedBuilds(folder, "mine");
  expect(names.filter((name) => existsSync(path.join(folder, name)))).toEqual(
    names.filter((name) => name !== "crashed"),
  );
});
