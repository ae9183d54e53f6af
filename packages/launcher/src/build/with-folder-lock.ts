import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { identify, isAlive, type ProcessIdentity } from "../process/process-identity.ts";

let entered = 0;

/**
 * withFolderLock prevents two processes from filling the same folder at the same time. The lock of a dead process is taken
 * over. Two processes that take it over at once both run, so the result must be correct in that case too.
 */
export async function withFolderLock<T>(folder: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const lock = `${folder}.lock`;
  const own = `${lock}.${process.pid}-${entered++}`;
  writeFileSync(own, JSON.stringify(identify(process.pid)));
  try {
    while (!tryLock(own, lock)) {
      const holder = read(lock);
      if (!holder || !isAlive(holder)) rmSync(lock, { force: true });
      else await sleep(500, undefined, { signal });
    }
    try {
      return await work();
    } finally {
      rmSync(lock, { force: true });
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/** The link appears together with its content, so that no process reads a partial lock. */
function tryLock(own: string, lock: string): boolean {
  try {
    linkSync(own, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function read(lock: string): ProcessIdentity | null {
  try {
    return JSON.parse(readFileSync(lock, "utf8")) as ProcessIdentity;
  } catch {
    return null; // it is gone, or not a lock
  }
}
