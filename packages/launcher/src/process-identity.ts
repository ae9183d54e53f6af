import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** A pid alone may be somebody else's by now; together with when it started it is one process for good. */
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
      // The name in parentheses may hold spaces; the state and the start time are counted from its end.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return fields[0] === "Z" ? null : (fields[19] ?? null);
    }
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim() || null;
  } catch {
    return null;
  }
}

/** end asks a process to stop, and kills it when it has not after the given time. */
export async function end(
  process: ProcessIdentity,
  graceMs: number,
  signal: NodeJS.Signals = "SIGTERM",
): Promise<void> {
  send(process, signal);
  const deadline = Date.now() + graceMs;
  while (isAlive(process) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
  if (isAlive(process)) send(process, "SIGKILL");
}

function send(target: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isAlive(target)) return;
  try {
    process.kill(target.pid, signal);
  } catch {
    // It ended between the look and the signal.
  }
}
