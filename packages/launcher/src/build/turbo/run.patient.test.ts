import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { identify } from "../../process/process-identity.ts";
import { root } from "../../settings.ts";
import { planTurbo, runTurbo } from "./run.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-turbo-"));
const home = path.join(folder, "home");
// With colours, as some terminals and CI systems request: turbo's output must be readable all the same.
const env = { PATH: process.env.PATH, HOME: home, FORCE_COLOR: "1" };
const cache = path.join(home, ".cache/fairlead/turbo", `${process.platform}-${process.arch}`);
afterAll(() => rmSync(folder, { recursive: true }));

/** checkout creates a repository with a task that copies the file "source", one that fails and one that waits. */
function checkout(name: string, source = "source"): string {
  const made = path.join(folder, name);
  mkdirSync(made);
  const scripts = {
    build: "cp source out && date +%N >> out",
    fails: "echo a reason; exit 3",
    waits: "echo $$ > pid; exec sleep 60",
  };
  const devEngines = { packageManager: { name: "npm", version: "11", onFail: "ignore" } };
  const tasks = { "//#build": { outputs: ["out"] }, "//#fails": {}, "//#waits": { cache: false } };
  const lock = { name: "toy", lockfileVersion: 3, requires: true, packages: { "": { name: "toy" } } };
  const files = {
    source,
    ".gitignore": "node_modules\nout\npid\n.turbo\n",
    "package.json": JSON.stringify({ name: "toy", private: true, workspaces: ["packages/*"], scripts, devEngines }),
    "package-lock.json": JSON.stringify(lock),
    "turbo.json": JSON.stringify({ globalPassThroughEnv: ["npm_config_*"], tasks }),
  };
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(made, file), text);
  symlinkSync(path.join(root, "node_modules"), path.join(made, "node_modules"));
  for (const args of [
    ["init", "--quiet"],
    ["add", "."],
  ])
    spawnSync("git", args, { cwd: made });
  return made;
}

const read = (made: string) => readFileSync(path.join(made, "out"), "utf8");

it("restores in another checkout what was built in one, and rebuilds what changed", async () => {
  const [one, two, other] = [checkout("one"), checkout("two"), checkout("other", "another source")];
  const first = await runTurbo(one, ["//#build"], { env });
  expect(first).toMatchObject({ code: 0, tasks: [{ id: "//#build", isCached: false, exitCode: 0 }] });
  const plan = await planTurbo(two, "//#build", { env });
  expect(plan).toEqual({ hash: first.tasks[0]?.hash, isCached: true });
  expect(existsSync(path.join(two, "out"))).toBe(false);
  expect((await runTurbo(two, ["//#build"], { env })).tasks).toMatchObject([{ isCached: true, exitCode: 0 }]);
  expect(read(two)).toBe(read(one));
  expect((await runTurbo(other, ["//#build"], { env })).tasks).toMatchObject([{ isCached: false, exitCode: 0 }]);
  expect(read(other)).toContain("another source");
  // No telemetry or settings of turbo in the home folder besides npm's folder, and no summary left in the checkout.
  expect(readdirSync(home).filter((name) => name !== ".npm")).toEqual([".cache"]);
  expect(readdirSync(path.join(two, ".turbo/runs"))).toEqual([]);
});

it("reruns forced tasks, and tasks with a damaged cache entry", async () => {
  const made = checkout("damaged", "of its own");
  const build = async (force = false) => (await runTurbo(made, ["//#build"], { env, force })).tasks[0]?.isCached;
  expect([await build(), await build(), await build(true)]).toEqual([false, true, false]);
  const { hash } = await planTurbo(made, "//#build", { env });
  rmSync(path.join(made, "out"));
  truncateSync(path.join(cache, `${hash}.tar.zst`), 50);
  expect(await build()).toBe(false);
  expect(read(made)).toContain("of its own");
});

it("returns the output of a failed task, and doesn't store it", async () => {
  const made = checkout("fails");
  for (let i = 0; i < 2; i++) {
    const { code, tasks } = await runTurbo(made, ["//#fails"], { env });
    expect(code).not.toBe(0);
    expect(tasks).toMatchObject([{ id: "//#fails", isCached: false, exitCode: 3, log: "a reason" }]);
  }
});

it("ends a task that is no longer needed", async () => {
  const made = checkout("waits");
  const abort = new AbortController();
  const ran = runTurbo(made, ["//#waits"], { env, signal: abort.signal });
  const pid = await vi.waitFor(() => {
    const written = Number(readFileSync(path.join(made, "pid"), "utf8"));
    expect(written).toBeGreaterThan(0);
    return written;
  }, 30_000);
  abort.abort();
  await ran;
  expect(identify(pid)).toBeNull();
});
