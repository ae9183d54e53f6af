import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildAgent } from "./build-agent.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-builder-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const foreign = process.arch === "arm64" ? "linux-amd64" : "linux-arm64";
const own = `linux-${process.arch === "x64" ? "amd64" : process.arch}`;
const fileOf = (platform: string) => path.join(folder, "download", platform);

/** writeBuilder writes a builder that notes its runs and then runs these commands, with the platform and the file. */
function writeBuilder(commands: string): string {
  const builder = path.join(folder, "build-for");
  writeFileSync(builder, `#!/bin/sh\necho "$1" >>"${folder}/runs"\n${commands}\n`);
  chmodSync(builder, 0o755);
  return builder;
}
const runs = () => readFileSync(path.join(folder, "runs"), "utf8").trim().split("\n");
const ask = (platform: string, builder: string | null, now?: number) =>
  buildAgent({ platform, file: fileOf(platform), builder }, now);

describe.runIf(process.platform === "linux")("buildAgent", () => {
  it("builds the agent of the other platform once, however many machines ask meanwhile", async () => {
    const builder = writeBuilder(`until [ -e "${folder}/go" ]; do sleep 0.05; done; echo "for $1" >"$2"`);
    const answers = await Promise.all([ask(foreign, builder), ask(foreign, builder), ask(foreign, builder)]);
    expect(answers).toEqual(Array(3).fill({ state: "building" }));
    expect(existsSync(fileOf(foreign))).toBe(false);
    writeFileSync(path.join(folder, "go"), "");
    await expect.poll(() => ask(foreign, builder)).toEqual({ state: "ready" });
    expect(readFileSync(fileOf(foreign), "utf8")).toBe(`for ${foreign.replace("linux-", "")}\n`);
    expect(runs()).toHaveLength(1);
  });

  it("builds again over a file of an earlier start, whose sources may have been others", async () => {
    const builder = writeBuilder('echo fresh >"$2"');
    mkdirSync(path.join(folder, "download"));
    writeFileSync(fileOf(foreign), "stale");
    expect(await ask(foreign, builder)).toEqual({ state: "building" });
    await expect.poll(() => ask(foreign, builder)).toEqual({ state: "ready" });
    expect(readFileSync(fileOf(foreign), "utf8")).toBe("fresh\n");
    expect(readdirSync(path.join(folder, "download"))).toEqual([foreign]);
  });

  it("serves the launcher's agent without a build", async () => {
    const builder = writeBuilder("exit 1");
    await ask(own, builder);
    await expect.poll(() => ask(own, builder)).toMatchObject({ state: "missing" });
    writeFileSync(fileOf(own), "the launcher's");
    expect(await ask(own, builder)).toEqual({ state: "ready" });
    expect(runs()).toHaveLength(1);
  });

  it("names the reason of a failure, and tries again after a minute", async () => {
    const builder = writeBuilder('echo "progress" >&2; echo "go: not found" >&2; exit 127');
    await ask(foreign, builder);
    await expect.poll(() => ask(foreign, builder)).toEqual({ state: "missing", why: "go: not found" });
    expect(runs()).toHaveLength(1);
    expect(await ask(foreign, builder, Date.now() + 61_000)).toEqual({ state: "building" });
    await expect.poll(() => ask(foreign, builder)).toMatchObject({ state: "missing" });
    expect(runs()).toHaveLength(2);
    expect(readdirSync(path.join(folder, "download"))).toEqual([]);
  });

  it("never builds in an image, which has both", async () => {
    expect(await ask(foreign, null)).toEqual({ state: "missing", why: "This installation was built without it." });
  });
});
