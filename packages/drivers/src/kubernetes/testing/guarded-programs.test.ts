import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { GuardedPrograms } from "./guarded-programs.ts";

const opened: GuardedPrograms[] = [];
afterEach(async () => {
  for (const programs of opened.splice(0)) await programs.close();
});

function open(): GuardedPrograms {
  const programs = new GuardedPrograms();
  opened.push(programs);
  return programs;
}

function lives(pid: number | null): boolean {
  if (pid === null) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("guarded programs", () => {
  it("end when they are closed, also those that ignore signals, and their folder is removed", async () => {
    const programs = open();
    programs.start("deaf", "sh", ["-c", "trap '' TERM INT HUP; while :; do sleep 1; done"]);
    programs.start("frozen", "sleep", ["60"]);
    programs.signal("frozen", "SIGSTOP");
    const pids = [programs.pid("deaf"), programs.pid("frozen")];
    expect(pids.map(lives)).toEqual([true, true]);
    await programs.close();
    expect(pids.map(lives)).toEqual([false, false]);
    expect(existsSync(programs.folder)).toBe(false);
  });

  it("are completely stopped when freeze returns", async () => {
    const programs = open();
    programs.start("counts", process.execPath, ["-e", "for (let i = 1; ; i++) if (i % 1e5 === 0) console.log(i)"]);
    await vi.waitFor(() => expect(programs.lastWords("counts")).not.toBe(""), 30_000);
    await programs.freeze("counts");
    const stopped = programs.lastWords("counts");
    await sleep(100);
    expect(programs.lastWords("counts")).toBe(stopped);
    programs.signal("counts", "SIGCONT");
    await vi.waitFor(() => expect(programs.lastWords("counts")).not.toBe(stopped), 30_000);
    await programs.close();
  });

  it("end when their parent is killed, and their folder is removed", async () => {
    const script = `import { GuardedPrograms } from ${JSON.stringify(path.join(import.meta.dirname, "guarded-programs.ts"))};
      const programs = new GuardedPrograms();
      programs.start("gone", "true", []);
      programs.start("stays", "sleep", ["60"]);
      setInterval(() => programs.isRunning("gone") || console.log(programs.pid("stays"), programs.folder), 50);`;
    const owner = spawn(process.execPath, ["--input-type=module-typescript", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(createInterface({ input: owner.stdout }), "line")) as [string];
    const [, pid, folder = ""] = /^(\d+) (.*)$/.exec(line) ?? [];
    expect(lives(Number(pid))).toBe(true);
    expect(existsSync(folder)).toBe(true);
    owner.kill("SIGKILL");
    await vi.waitFor(() => expect([lives(Number(pid)), existsSync(folder)]).toEqual([false, false]), 30_000);
  });

  it("keep the output of a program that has ended", async () => {
    const programs = open();
    programs.start("loud", "sh", ["-c", "echo no such flag >&2; exit 1"]);
    programs.start("missing", "/no/such/program", []);
    await vi.waitFor(
      () => expect([programs.isRunning("loud"), programs.isRunning("missing")]).toEqual([false, false]),
      { timeout: 30_000 },
    );
    expect(programs.lastWords("loud")).toBe("no such flag");
    expect(() => programs.signal("loud", "SIGSTOP")).toThrow("loud does not run");
  });

  it("have unique names", async () => {
    const programs = new GuardedPrograms();
    programs.start("sleep", "sleep", ["60"]);
    expect(() => programs.start("sleep", "sleep", ["60"])).toThrow("sleep runs already");
    await programs.close();
  });

  it("have ended when kill returns, and may be started again", async () => {
    const programs = open();
    programs.start("one", "sleep", ["60"]);
    const first = programs.pid("one");
    await programs.kill("one");
    expect(lives(first)).toBe(false);
    programs.start("one", "sleep", ["60"]);
    expect(programs.isRunning("one")).toBe(true);
    expect(programs.pid("one")).not.toBe(first);
  });
});
