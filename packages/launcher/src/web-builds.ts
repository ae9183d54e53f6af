import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { identify, isAlive, type ProcessIdentity } from "./process-identity.ts";

/** One without users that is younger may be one that somebody makes, or is about to use, just now. */
const youngMs = { unfinished: 3_600_000, whole: 60_000 };

/** findBuild answers the name of a whole build of these sources, or null. */
export function findBuild(folder: string, digest: string): string | null {
  if (!existsSync(folder)) return null;
  return readdirSync(folder).find((name) => name.startsWith(digest) && isWhole(path.join(folder, name))) ?? null;
}

export function isWhole(build: string): boolean {
  return existsSync(path.join(build, "whole"));
}

export function markWhole(build: string): void {
  writeFileSync(path.join(build, "whole"), "");
}

/** noteUser writes down that we run on a build. Nobody takes it off: a dead process uses nothing. */
export function noteUser(build: string): void {
  const folder = path.join(build, "users");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, String(process.pid)), JSON.stringify(identify(process.pid)));
}

/** dropUnusedBuilds removes the builds of former sources that nobody runs on. */
export function dropUnusedBuilds(folder: string, kept: string, now = Date.now()): void {
  for (const name of readdirSync(folder)) {
    const build = path.join(folder, name);
    if (name === kept || isUsed(build) || isYoung(build, now)) continue;
    rmSync(build, { recursive: true, force: true });
  }
}

function isYoung(build: string, now: number): boolean {
  return now - statSync(build).mtimeMs < (isWhole(build) ? youngMs.whole : youngMs.unfinished);
}

function isUsed(build: string): boolean {
  try {
    const users = path.join(build, "users");
    return readdirSync(users).some((name) => {
      const user = JSON.parse(readFileSync(path.join(users, name), "utf8")) as ProcessIdentity | null;
      return user !== null && isAlive(user);
    });
  } catch {
    return false; // nobody has noted anything, or what was noted can't be read
  }
}
