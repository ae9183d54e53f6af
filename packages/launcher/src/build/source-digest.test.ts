import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { digestSources, environment } from "./source-digest.ts";

let root: string;
const at = (file: string) => path.join(root, file);
const write = (file: string, text: string) => {
  mkdirSync(path.dirname(at(file)), { recursive: true });
  writeFileSync(at(file), text);
};
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "fairlead-digest-"));
  write("package-lock.json", "{}");
  write("web/page.ts", "one");
  write("web/deep/part.ts", "part");
  write("web/bin/program", "built");
  write("web/.next/built", "built");
});
afterEach(() => rmSync(root, { recursive: true }));

const later = () => Date.now() + 60_000;
const digest = (...context: string[]) => digestSources(root, ["web"], context, later());

it("is the same while no source changes, and unaffected by build results", () => {
  const before = digest();
  write("web/bin/program", "built again");
  write("web/.next/more", "built again");
  write("web/node_modules/a/index.js", "installed");
  write("elsewhere/page.ts", "another");
  expect(digest()).toBe(before);
});

it.each<[string, () => void]>([
  [
    "a file gets other content of the same length, with its former date",
    () => {
      const { atime, mtime } = statSync(at("web/page.ts"));
      write("web/page.ts", "two");
      utimesSync(at("web/page.ts"), atime, mtime);
    },
  ],
  [
    "a file is replaced by another",
    () => {
      write("new", "one");
      renameSync(at("new"), at("web/page.ts"));
    },
  ],
  ["a file is added", () => write("web/deep/new.ts", "")],
  ["a file is removed", () => rmSync(at("web/deep/part.ts"))],
  ["a file is renamed", () => renameSync(at("web/page.ts"), at("web/other.ts"))],
  ["a file becomes executable", () => chmodSync(at("web/page.ts"), 0o755)],
  ["other packages are installed", () => write("package-lock.json", '{"a":1}')],
  ["a file of the root is added", () => write("turbo.json", "{}")],
])("differs when %s", async (_, change) => {
  const before = digest();
  await sleep(20); // the clock of a file system may tick each 10 ms
  change();
  expect(digest()).not.toBe(before);
});

it("differs with the context", () => {
  expect(digest("go1.26.8")).not.toBe(digest("go1.27.0"));
});

it("is null right after a change, when a second change could have the same time", () => {
  expect(digestSources(root, ["web"], [])).toBeNull();
});

it("takes the variables of a prefix in a fixed order", () => {
  expect(environment("GO", { GOOS: "linux", HOME: "/", GOARCH: "arm64" })).toEqual(["GOARCH=arm64", "GOOS=linux"]);
});
