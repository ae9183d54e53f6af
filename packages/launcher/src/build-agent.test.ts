import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { buildAgent } from "./build-agent.ts";
import { identify } from "./process-identity.ts";

let root: string;
let said: string[];
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "fairlead-build-agent-"));
  mkdirSync(path.join(root, "agents/bin"), { recursive: true });
  said = [];
  vi.spyOn(console, "log").mockImplementation((text: unknown) => void said.push(String(text)));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
});

/** playGo puts a Go of our own before the machine's: it says this version, and builds by this script. */
function playGo(version: string, build: string): void {
  const go = path.join(root, "go");
  writeFileSync(
    go,
    `#!/bin/sh\nif [ "$1" = version ]; then echo "go version ${version} linux/amd64"; exit; fi\n${build}\n`,
  );
  chmodSync(go, 0o755);
  vi.stubEnv("PATH", `${root}:/usr/bin:/bin`);
}

const never = new AbortController().signal;
const binary = () => path.join(root, "agents/bin/fairlead-agent");

describe.runIf(process.platform === "linux")("buildAgent", () => {
  it("builds with a Go that is recent enough", async () => {
    playGo("go1.26.8", 'touch "$4"');
    expect(await buildAgent(root, never)).toBe(binary());
    expect(existsSync(binary())).toBe(true);
  });

  it("says what Go it needs where there is an older one, or none", async () => {
    playGo("go1.22.2", 'touch "$4"');
    expect(await buildAgent(root, never)).toBeNull();
    expect(said.join()).toContain("Go is not 1.26 or newer (it says: go version go1.22.2 linux/amd64), so no agent");
    expect(said.join()).toContain("the dashboard works without. Install Go 1.26 or newer");
    expect(existsSync(binary())).toBe(false);

    vi.stubEnv("PATH", "/nowhere");
    expect(await buildAgent(root, never)).toBeNull();
    expect(said.at(-1)).toContain("Go is not installed, so no agent");
  });

  it("ends a build that nobody waits for any more", async () => {
    playGo("go1.26.8", `echo $$ > ${root}/pid; exec sleep 60`);
    const abort = new AbortController();
    const built = buildAgent(root, abort.signal);
    const refused = expect(built).rejects.toThrow("Stopped while building.");
    const pid = await vi.waitFor(() => {
      const read = Number(readFileSync(path.join(root, "pid"), "utf8"));
      expect(read).toBeGreaterThan(0);
      return read;
    }, 10_000);
    abort.abort();
    await refused;
    expect(identify(pid)).toBeNull();
  });
});
