import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { buildWeb } from "./build-web.ts";

let root: string;
let builds: string;
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "fairlead-build-web-"));
  builds = path.join(root, "apps/web/.next-builds");
  mkdirSync(path.dirname(builds), { recursive: true });
  vi.spyOn(console, "log").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(root, { recursive: true });
});

const never = new AbortController().signal;

/** fakeTurbo is a turbo whose sources have this hash: it builds into its one folder, and counts the builds. */
function fakeTurbo(hash: string, code = 0) {
  const built = path.join(builds, "built");
  const run = vi.fn(async () => {
    expect(existsSync(built)).toBe(false);
    mkdirSync(built);
    await sleep(20);
    writeFileSync(path.join(built, "BUILD_ID"), hash);
    const task = { id: "@fairlead/web#build", hash, isCached: false, exitCode: code, ms: 1, log: "no such module" };
    return { code, output: "", tasks: [task] };
  });
  return { plan: vi.fn(async () => ({ hash, isCached: false })), run };
}

it("builds once, into a folder named by the sources' hash", async () => {
  const turbo = fakeTurbo("aaa");
  expect(await buildWeb(root, never, turbo)).toBe(".next-builds/aaa");
  expect(await buildWeb(root, never, turbo)).toBe(".next-builds/aaa");
  expect(turbo.run).toHaveBeenCalledTimes(1);
});

it("keeps a build in use when another is built", async () => {
  await buildWeb(root, never, fakeTurbo("aaa"));
  expect(await buildWeb(root, never, fakeTurbo("bbb"))).toBe(".next-builds/bbb");
  expect(readFileSync(path.join(builds, "aaa/BUILD_ID"), "utf8")).toBe("aaa");
});

it("doesn't run turbo while a build of the sources exists", async () => {
  const [one, other, back] = [fakeTurbo("aaa"), fakeTurbo("bbb"), fakeTurbo("aaa")];
  await buildWeb(root, never, one, () => "sources of a");
  await buildWeb(root, never, other, () => "sources of b");
  expect(await buildWeb(root, never, back, () => "sources of a")).toBe(".next-builds/aaa");
  expect(await buildWeb(root, never, back, () => "sources of b")).toBe(".next-builds/bbb");
  expect(back.plan).not.toHaveBeenCalled();
  rmSync(path.join(builds, "aaa"), { recursive: true });
  expect(await buildWeb(root, never, back, () => "sources of a")).toBe(".next-builds/aaa");
  expect(back.run).toHaveBeenCalledTimes(1);
});

it("plans again if files were rewritten, or if their digest is uncertain", async () => {
  const turbo = fakeTurbo("aaa");
  for (const sources of ["a", "a touched", null, null]) await buildWeb(root, never, turbo, () => sources);
  expect(turbo.plan).toHaveBeenCalledTimes(4);
  await buildWeb(root, never, turbo, () => "a touched");
  expect(turbo.plan).toHaveBeenCalledTimes(4);
  expect(turbo.run).toHaveBeenCalledTimes(1);
});

it("lets two starts at once share one build", async () => {
  const turbo = fakeTurbo("aaa");
  const both = await Promise.all([buildWeb(root, never, turbo), buildWeb(root, never, turbo)]);
  expect(both).toEqual([".next-builds/aaa", ".next-builds/aaa"]);
  expect(turbo.run).toHaveBeenCalledTimes(1);
  expect(readdirSync(builds)).toEqual(["aaa"]);
});

it("removes the remains of an interrupted build before it builds", async () => {
  mkdirSync(path.join(builds, "built"), { recursive: true });
  writeFileSync(path.join(builds, "built/half"), "");
  await buildWeb(root, never, fakeTurbo("aaa"));
  expect(readdirSync(path.join(builds, "aaa")).sort()).toEqual(["BUILD_ID", "users"]);
});

it("reports why there is no build", async () => {
  await expect(buildWeb(root, never, fakeTurbo("aaa", 1))).rejects.toThrow(
    "The dashboard build failed:\nno such module",
  );
  rmSync(builds, { recursive: true });
  writeFileSync(builds, "in the way");
  await expect(buildWeb(root, never, fakeTurbo("aaa"))).rejects.toThrow(
    /^The dashboard build failed \(EEXIST.*start again\.$/,
  );
});
