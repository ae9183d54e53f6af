import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { buildAgent } from "./build-agent.ts";
import type { runTurbo } from "./turbo/run.ts";

let root: string;
let output: string[];
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "fairlead-build-agent-"));
  mkdirSync(path.join(root, "agents/bin"), { recursive: true });
  output = [];
  vi.spyOn(console, "log").mockImplementation((text: unknown) => void output.push(String(text)));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
});

/** fakeGo puts a fake go of this version first in PATH. */
function fakeGo(version: string): void {
  const go = path.join(root, "go");
  writeFileSync(go, `#!/bin/sh\necho "go version ${version} linux/amd64"\n`);
  chmodSync(go, 0o755);
  vi.stubEnv("PATH", `${root}:/usr/bin:/bin`);
}

/** built is a fake turbo run that leaves a program with this content. */
function built(content: string): typeof runTurbo {
  return async () => {
    writeFileSync(path.join(root, "agents/bin/built/fairlead-agent"), content);
    return { code: 0, output: "", tasks: [] };
  };
}

const unknown = () => null;
const never = new AbortController().signal;
const binary = () => path.join(root, "agents/bin/fairlead-agent");

describe.runIf(process.platform === "linux")("buildAgent", () => {
  it("builds with a Go that is recent enough", async () => {
    fakeGo("go1.26.8");
    expect(await buildAgent(root, never, built("program"))).toBe(binary());
    expect(readFileSync(binary(), "utf8")).toBe("program");
  });

  it("keeps the binary of a running agent, unless the program changed", async () => {
    fakeGo("go1.26.8");
    await buildAgent(root, never, built("program"), unknown);
    const { ino } = statSync(binary());
    await buildAgent(root, never, built("program"), unknown);
    expect(statSync(binary()).ino).toBe(ino);
    await buildAgent(root, never, built("another"), unknown);
    expect(statSync(binary()).ino).not.toBe(ino);
    expect(readFileSync(binary(), "utf8")).toBe("another");
  });

  it("doesn't run turbo while sources and program are unchanged since the last build", async () => {
    fakeGo("go1.26.8");
    const run = vi.fn(built("program"));
    const start = async (sources: string | null) => {
      expect(await buildAgent(root, never, run, () => sources)).toBe(binary());
      return run.mock.calls.length;
    };
    expect([await start("a"), await start("a"), await start("b"), await start("b")]).toEqual([1, 1, 2, 2]);
    writeFileSync(binary(), "damaged");
    expect([await start("b"), await start("b")]).toEqual([3, 3]);
    expect(readFileSync(binary(), "utf8")).toBe("program");
    rmSync(binary());
    expect([await start("b"), await start("b")]).toEqual([4, 4]);
    expect([await start(null), await start(null)]).toEqual([5, 6]);
  });

  it("recompiles for another Go version", async () => {
    const contexts: string[] = [];
    const digest = (_: string, __: string[], context: string[]) => {
      contexts.push(context[0] ?? "");
      return null;
    };
    for (const version of ["go1.26.8", "go1.27.0"]) {
      fakeGo(version);
      await buildAgent(root, never, built("program"), digest);
    }
    expect(contexts).toEqual(["go version go1.26.8 linux/amd64", "go version go1.27.0 linux/amd64"]);
  });

  it("prints Go's error if the build fails", async () => {
    fakeGo("go1.26.8");
    const failed = {
      id: "@fairlead/agents#build",
      hash: "",
      isCached: false,
      exitCode: 1,
      ms: 1,
      log: "one\nno space",
    };
    expect(await buildAgent(root, never, async () => ({ code: 1, output: "", tasks: [failed] }))).toBeNull();
    expect(output.at(-1)).toContain("The dashboard works without them. Reason: no space");
  });

  it("names the required Go version if Go is older or missing", async () => {
    fakeGo("go1.22.2");
    expect(await buildAgent(root, never, built("program"))).toBeNull();
    expect(output.join()).toContain("Go is older than 1.26 (go version go1.22.2 linux/amd64): the agent");
    expect(output.join()).toContain("install Go 1.26 or newer");
    expect(existsSync(binary())).toBe(false);

    vi.stubEnv("PATH", "/nowhere");
    expect(await buildAgent(root, never, built("program"))).toBeNull();
    expect(output.at(-1)).toContain("Go is not installed: the agent");
  });

  it("reports an interrupted build as stopped, not as failed", async () => {
    fakeGo("go1.26.8");
    const abort = new AbortController();
    const run: typeof runTurbo = async () => {
      abort.abort();
      return { code: 1, output: "", tasks: [] };
    };
    await expect(buildAgent(root, abort.signal, run)).rejects.toThrow("Stopped during the build.");
  });
});
