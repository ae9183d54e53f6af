import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { offerAgent } from "./offer-agent.ts";

let root: string;
let binary: string;
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "fairlead-offer-"));
  binary = path.join(root, "agents/bin/fairlead-agent");
  mkdirSync(path.dirname(binary), { recursive: true });
  writeFileSync(binary, "program");
});
afterEach(() => rmSync(root, { recursive: true }));

const folder = () => path.join(root, "agents/bin/download");
const offered = (platform: string) => path.join(folder(), platform);

describe("offerAgent", () => {
  it("offers the agent of this start under its platform, without a copy", () => {
    offerAgent(root, binary, "x64");
    offerAgent(root, binary, "x64");
    expect(statSync(offered("linux-amd64")).ino).toBe(statSync(binary).ino);
    offerAgent(root, binary, "arm64");
    expect(readdirSync(folder()).sort()).toEqual(["linux-amd64", "linux-arm64"]);
  });

  it("replaces the agent of an earlier start", () => {
    offerAgent(root, binary, "x64");
    writeFileSync(`${binary}.next`, "another");
    renameSync(`${binary}.next`, binary);
    expect(readFileSync(offered("linux-amd64"), "utf8")).toBe("program");
    offerAgent(root, binary, "x64");
    expect(readFileSync(offered("linux-amd64"), "utf8")).toBe("another");
    expect(readdirSync(folder())).toEqual(["linux-amd64"]);
  });

  it("offers no outdated agent if there is none", () => {
    offerAgent(root, binary, "x64");
    offerAgent(root, null, "x64");
    expect(readdirSync(folder())).toEqual([]);
  });
});
