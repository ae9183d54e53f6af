import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const prefix = "fairlead-test-";
/** Linux's file system in memory. Creating and dropping hundreds of databases takes a fifth of the processor time there. */
export const memory = "/dev/shm";
/** More than the largest test run uses at once. */
const leastFreeBytes = 4 * 1024 ** 3;

/** createDataFolder creates an empty folder for a PostgreSQL server, in memory if the data may be lost and there is room. */
export function createDataFolder(options: { mayBeLost: boolean }): string {
  const parent = options.mayBeLost && isRoomy(memory) ? memory : os.tmpdir();
  if (parent === memory) removeAbandoned(memory);
  // The name holds our process ID, so that a later run can see whether the folder is still in use.
  const folder = mkdtempSync(path.join(parent, `${prefix}${process.pid}-`));
  chmodSync(folder, 0o755); // the server runs as another user if this process is root
  return folder;
}

function isRoomy(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= leastFreeBytes;
  } catch {
    return false;
  }
}

/** A run that was killed leaves its folder behind, and in memory that costs more than on disk. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    if (pid && !isRunning(Number(pid))) rmSync(path.join(parent, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
