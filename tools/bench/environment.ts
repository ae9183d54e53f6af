import { execFileSync } from "node:child_process";
import os from "node:os";

export type Environment = ReturnType<typeof readEnvironment>;

/** readEnvironment describes the machine and its load; call it before the benchmark begins. */
export function readEnvironment() {
  const [cpu] = os.cpus();
  return {
    cpu: cpu?.model ?? "unknown",
    cores: os.availableParallelism(),
    memoryBytes: os.totalmem(),
    os: `${os.type()} ${os.release()}`,
    node: process.version,
    loadBefore: os.loadavg()[0] ?? 0,
  };
}

/** busyBefore returns a warning if other programs used half of the machine or more. */
export function busyBefore({ loadBefore, cores }: Pick<Environment, "loadBefore" | "cores">): string | null {
  if (loadBefore <= cores / 2) return null;
  return `the machine was busy before (load ${loadBefore.toFixed(1)} on ${cores} cores): figures are too low`;
}

/** readCommit returns the commit of the measured code. */
export function readCommit(root: string): string {
  try {
    const head = execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
    const dirty = execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" }).trim() !== "";
    return dirty ? `${head}+changes` : head;
  } catch {
    return "unknown";
  }
}
