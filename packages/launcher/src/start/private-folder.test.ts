import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claimInstance } from "./instance.ts";
import { makePrivate } from "./private-folder.ts";

let parent: string;
let folder: string;
beforeEach(() => {
  parent = mkdtempSync(path.join(os.tmpdir(), "fairlead-private-"));
  folder = path.join(parent, "data");
});
afterEach(() => rmSync(parent, { recursive: true }));

const modeOf = (at: string) => (statSync(at).mode & 0o7777).toString(8);

function existing(mode: number, ...names: string[]): void {
  mkdirSync(folder);
  for (const name of names) writeFileSync(path.join(folder, name), "");
  chmodSync(folder, mode);
}

describe("a data folder", () => {
  it("is created so that other users can't enter it", async () => {
    const instance = await claimInstance(folder, "http://127.0.0.1:3000");
    expect(modeOf(folder)).toBe("750");
    instance.release();
  });

  it("leaves its parents open, also those that it creates", () => {
    folder = path.join(parent, "fairlead", "data");
    makePrivate(folder);
    expect([modeOf(folder), modeOf(path.dirname(folder))]).toEqual(["750", "755"]);
  });

  it.each([
    ["of a former version is closed", 0o755, ["instance.json", "secret", "logs", "postgres-18", "agent"], "750"],
    ["that is empty is closed", 0o777, [], "750"],
    ["of logs is closed", 0o755, ["web.log", "web.log.1", "controller.log"], "750"],
    ["that is closed even more stays so", 0o700, ["secret"], "700"],
    ["with other files stays as it is", 0o1777, ["secret", "someone-elses"], "1777"],
  ])("%s", (_, mode, names, after) => {
    existing(mode, ...names);
    makePrivate(folder);
    expect(modeOf(folder)).toBe(after);
  });
});
