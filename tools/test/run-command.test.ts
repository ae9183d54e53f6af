import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readTimes, runCommand } from "./run-command.ts";
import type { Command } from "./suite.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-run-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const node = (script: string, more: Partial<Command> = {}): Command => ({
  program: process.execPath,
  args: ["-e", script],
  ...more,
});

function run(command: Command, limitMs = 20_000, signal = new AbortController().signal) {
  return runCommand(command, { signal, limitMs, log: path.join(folder, "log"), root: folder });
}

describe("a program that a suite runs", () => {
  it("returns its exit code and output, and writes the output to the log", async () => {
    const ran = await run(node('console.log("out"); console.error("err"); process.exitCode = 3'));
    expect(ran.code).toBe(3);
    expect(ran.output.split("\n").sort()).toEqual(["", "err", "out"]);
    expect(readFileSync(path.join(folder, "log"), "utf8")).toBe(ran.output);
  });

  it("counts the processor time of its child processes", async () => {
    const spin = "const end = process.cpuUsage().user + 300_000; while (process.cpuUsage().user < end);";
    const ran = await run(
      node(`require("node:child_process").execFileSync(process.execPath, ["-e", ${JSON.stringify(spin)}])`),
    );
    expect(ran.cpuMs).toBeGreaterThanOrEqual(300);
  });

  it("is killed with its children after its time limit", async () => {
    const child = 'require("node:child_process").spawn("sleep", ["60"]); setInterval(() => {}, 1000)';
    const ran = await run(node(child), 500);
    expect(ran).toMatchObject({ problem: expect.stringContaining("stopped after"), code: expect.any(Number) });
    expect(ran.code).not.toBe(0);
  });

  it("is stopped when the run is interrupted", async () => {
    const interrupt = new AbortController();
    const running = run(node("setInterval(() => {}, 1000)"), 20_000, interrupt.signal);
    setTimeout(() => interrupt.abort(), 200);
    expect(await running).toMatchObject({ problem: "the run was interrupted" });
  });

  it("ends even if a process that it left behind keeps its output open", async () => {
    const ran = await run({ program: "sh", args: ["-c", "sleep 20 & echo started"] });
    expect(ran).toMatchObject({ code: 0, output: "started\n" });
    expect(ran.wallMs).toBeLessThan(15_000);
  });

  it("parses the output of the shell's times", () => {
    expect(readTimes("0m0.01s 0m0.02s\n1m2.50s 0m0.47s\n")).toBe(63_000);
    expect(readTimes("")).toBe(0);
  });

  it("is reported as missing when there is no such program", async () => {
    expect(await run({ program: "no-such-program", args: [] })).toMatchObject({ code: 127 });
  });
});
