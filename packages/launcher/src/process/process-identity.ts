import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** A pid can be reused; together with the start time it identifies one process. */
export type ProcessIdentity = { pid: number; startedAt: string };

export function identify(pid: number): ProcessIdentity | null {
  const startedAt = startTime(pid);
  return startedAt ? { pid, startedAt } : null;
}

export function isAlive(process: ProcessIdentity): boolean {
  return startTime(process.pid) === process.startedAt;
}

function startTime(pid: number): string | null {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  try {
    if (existsSync("/proc/self/stat")) {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      // The name in parentheses may contain spaces: count the fields after it.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return fields[0] === "Z" ? null : (fields[19] ?? null);
    }
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim() || null;
  } catch {
    return null;
  }
}

/** end sends a stop signal, and kills the process if it hasn't stopped in the given time. */
export async function end(
  process: ProcessIdentity,
  graceMs: number,
  signal: NodeJS.Signals = "SIGTERM",
): Promise<void> {
  send(process, signal);
  const deadline = Date.now() + graceMs;
  while (isAlive(process) && Date.now() < deadline) await sleep(50);
  if (isAlive(process)) send(process, "SIGKILL");
}

function send(target: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isAlive(target)) return;
  try {
    process.kill(target.pid, signal);
  } catch {
    // It ended before the signal.
  }
}
