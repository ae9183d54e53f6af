import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { identify, isAlive, type ProcessIdentity } from "../process/process-identity.ts";

/** A younger build without users may be one that another start has just placed and will use. */
const youngMs = 60_000;

/** recordUser records that this process uses a build. The record is never removed: a dead process uses nothing. */
export function recordUser(build: string): void {
  const folder = path.join(build, "users");
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, String(process.pid)), JSON.stringify(identify(process.pid)));
  } catch (error) {
    // In a checkout that this user can't write to, a build of another user can still be used.
    if (!isReadOnly(error)) throw error;
  }
}

/** recordSources records the digest of a build's sources inside its folder, so that it is removed with the build. */
export function recordSources(build: string, sources: string | null): void {
  const file = path.join(build, "sources");
  try {
    if (sources !== null && read(file) !== sources) writeFileSync(file, sources);
  } catch (error) {
    if (!isReadOnly(error)) throw error; // as above
  }
}

/** findBuild returns the name of the build for sources with this digest, or null. */
export function findBuild(folder: string, sources: string | null): string | null {
  if (sources === null || !existsSync(folder)) return null;
  return (
    readdirSync(folder).find((name) => name !== "built" && read(path.join(folder, name, "sources")) === sources) ?? null
  );
}

function read(file: string): string | null {
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

/** removeUnusedBuilds removes the builds that no process uses. */
export function removeUnusedBuilds(folder: string, kept: string, now = Date.now()): void {
  for (const name of readdirSync(folder)) {
    const build = path.join(folder, name);
    // The folder that turbo builds in, and its lock, belong to the process that is building.
    if (name === kept || name.startsWith("built") || isUsed(build) || isYoung(build, now)) continue;
    try {
      rmSync(build, { recursive: true, force: true });
    } catch (error) {
      if (!isReadOnly(error)) throw error;
    }
  }
}

function isReadOnly(error: unknown): boolean {
  return error instanceof Error && "code" in error && ["EACCES", "EPERM", "EROFS"].includes(String(error.code));
}

function isYoung(build: string, now: number): boolean {
  const found = statSync(build, { throwIfNoEntry: false }); // another start may remove it too
  return found !== undefined && now - found.mtimeMs < youngMs;
}

function isUsed(build: string): boolean {
  try {
    const users = path.join(build, "users");
    return readdirSync(users).some((name) => {
      const user = JSON.parse(readFileSync(path.join(users, name), "utf8")) as ProcessIdentity | null;
      return user !== null && isAlive(user);
    });
  } catch {
    return false; // no process is recorded, or the record can't be read
  }
}
