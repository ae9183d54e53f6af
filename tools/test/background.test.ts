import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { identify } from "../../packages/launcher/src/process/process-identity.ts";
import { Background } from "./background.ts";

let folder: string;
let printed: string[];
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-background-"));
  printed = [];
  vi.spyOn(console, "log").mockImplementation((text: unknown) => void printed.push(String(text)));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const run = (script: string) => new Background("something is built", process.execPath, ["-e", script]);

describe("a program in the background", () => {
  it("prints nothing when it has nothing to do", async () => {
    expect(await run('console.log("it is all there")').ended).toEqual({ code: 0, output: "it is all there" });
    expect(printed).toEqual([]);
  });

  it("is reported once at its start and once at its end, and keeps its output for its users", async () => {
    const background = run('process.send("building", () => { console.error("no compiler"); process.exit(1) })');
    expect(await background.ended).toEqual({ code: 1, output: "no compiler" });
    expect(printed).toEqual([
      "• In the background: something is built",
      expect.stringMatching(/^ {2}\(something is built: failed after \d+ s\)$/),
    ]);
    expect(background.hasWorked).toBe(true);
  });

  it("pauses and continues on request", async () => {
    const background = run(
      'process.on("message", (word) => { console.log(word); if (word === "release") process.exit() })',
    );
    background.hold();
    background.release();
    expect(await background.ended).toEqual({ code: 0, output: "hold\nrelease" });
    background.hold();
  });

  it("reports that it failed to start", async () => {
    const background = new Background("something", path.join(folder, "nothing"), []);
    expect(await background.ended).toMatchObject({
      code: 127,
      output: expect.stringContaining("failed to start"),
    });
  });

  it("ends when its parent is killed", async () => {
    const script = path.join(folder, "npm-test.ts");
    const pidFile = path.join(folder, "pid");
    const child = `require("node:fs").writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); process.on("disconnect", () => process.exit());`;
    writeFileSync(
      script,
      `import { Background } from ${JSON.stringify(path.join(import.meta.dirname, "background.ts"))};
       new Background("something", process.execPath, ["-e", ${JSON.stringify(child)}]);`,
    );
    const npmTest = spawn(process.execPath, [script], { stdio: "ignore" });
    const pid = await vi.waitFor(() => {
      const read = Number(readFileSync(pidFile, "utf8"));
      expect(read).toBeGreaterThan(0);
      return read;
    }, 30_000);
    expect(identify(pid)).not.toBeNull();
    npmTest.kill("SIGKILL");
    await vi.waitFor(() => expect(identify(pid)).toBeNull(), 30_000);
    // Two processes start, which is slow on a busy machine.
  }, 90_000);
});
