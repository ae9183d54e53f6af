import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { lastLines, limitLog, logSize } from "./log-file.ts";
import { type Program, Supervised } from "./supervisor.ts";

let folder: string;
let output: string[];
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-supervisor-"));
  output = [];
  for (const method of ["log", "error"] as const)
    vi.spyOn(console, method).mockImplementation((text: unknown) => void output.push(String(text)));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

function program(script: string, more: Partial<Program> = {}): Program {
  const env = { PATH: process.env.PATH ?? "" };
  return {
    name: "probe",
    command: process.execPath,
    args: ["-e", script],
    cwd: folder,
    env,
    logFile: path.join(folder, "log"),
    ...more,
  };
}

const stubborn = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("up")';
const isUp = () => expect(lastLines(path.join(folder, "log"), 1)).toBe("up");

describe("a supervised program", () => {
  it("that refuses to run is not restarted, and its message is printed once", async () => {
    let changes = 0;
    const script = 'console.error("probe: the state folder is full: make room"); process.exit(2)';
    const supervised = new Supervised(program(script, { refusedExit: 2 }), () => changes++);
    await vi.waitFor(() => expect(output).toHaveLength(1), 30_000);
    expect(output[0]).toContain("probe: the state folder is full: make room");
    expect(output[0]).not.toContain("restarts in");
    expect({ child: supervised.child, changes }).toEqual({ child: null, changes: 2 });
    await supervised.stop();
  });

  it("that fails is restarted", async () => {
    const supervised = new Supervised(program("process.exit(1)", { refusedExit: 2 }), () => {});
    await vi.waitFor(() => expect(output[0]).toContain("restarts in 1 s"), 30_000);
    expect(supervised.exits).toBe(1);
    await supervised.stop();
  });

  it("that is slow to stop gets its grace time, with an explanation, and is killed only when forced", async () => {
    const supervised = new Supervised(program(stubborn, { graceMs: 60_000, whySlow: "It writes." }), () => {});
    await vi.waitFor(isUp, 30_000);
    const stopped = supervised.stop();
    await vi.waitFor(() => expect(output).toEqual(["It writes."]), 30_000);
    expect(supervised.child).not.toBeNull();
    supervised.force();
    await stopped;
    expect(supervised.child).toBeNull();
  });

  it("has a log that other users can't read, also if an older one was readable", async () => {
    const logFile = path.join(folder, "log");
    const modes = () => [logFile, `${logFile}.1`].map((each) => statSync(each).mode & 0o777);
    writeFileSync(logFile, "x");
    chmodSync(logFile, 0o644);
    const supervised = new Supervised(program('console.log("up")'), () => {});
    await supervised.stop();
    limitLog(logFile, 0);
    expect(modes()).toEqual([0o640, 0o640]);
  });

  it("is killed after its grace time", async () => {
    const supervised = new Supervised(program(stubborn, { graceMs: 100 }), () => {});
    await vi.waitFor(isUp, 30_000);
    await supervised.stop();
    expect(supervised.child).toBeNull();
  });
});

describe("a log", () => {
  it("is limited while its program keeps writing", () => {
    const file = path.join(folder, "growing");
    writeFileSync(file, "old\n".repeat(100));
    limitLog(file, 1_000);
    expect(statSync(file).size).toBe(400);
    limitLog(file, 300);
    appendFileSync(file, "new\n");
    expect(readFileSync(file, "utf8")).toBe("new\n");
    expect(statSync(`${file}.1`).size).toBe(400);
  });

  it("is read from its end, regardless of its size", () => {
    const file = path.join(folder, "long");
    writeFileSync(file, `${"x".repeat(200_000)}\nlast but one\nlast\n`);
    expect(lastLines(file, 2)).toBe("last but one\nlast");
    expect(lastLines(path.join(folder, "none"), 2)).toBe("");
    const before = logSize(file);
    expect(lastLines(file, 2, before)).toBe("");
    appendFileSync(file, "of this start\n");
    expect(lastLines(file, 2, before)).toBe("of this start");
    writeFileSync(file, "emptied\n");
    expect(lastLines(file, 2, before)).toBe("emptied");
  });
});
