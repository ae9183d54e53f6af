import { createHash } from "node:crypto";
import { type BigIntStats, lstatSync, readdirSync } from "node:fs";
import path from "node:path";

/** Inputs of every build: the versions of packages, and the configuration of turbo. */
const rootFiles = [
  ".gitattributes",
  "LICENSE",
  "package.json",
  "package-lock.json",
  "tsconfig.base.json",
  "turbo.json",
];

/** Folders that git ignores, besides hidden ones: builds write their results there. */
const ignored = new Set(["node_modules", "dist", "bin"]);

/** Some file systems round change times to two seconds: a second change could have the same time as the first. */
const settledMs = 2_000;

/**
 * digestSources returns a digest of the name, size and change time of each source file in these folders, without reading
 * the files. It differs whenever turbo's hash could, and also when a file was rewritten unchanged. So an equal digest
 * proves that a build is up to date, at a tenth of the cost of turbo. No program can set a file's change time (ctime), so
 * neither git nor an archive that restores dates can hide a change. It returns null if the digest is uncertain: right
 * after a change, or while a folder is missing.
 */
export function digestSources(root: string, folders: string[], context: string[], now = Date.now()): string | null {
  const hash = createHash("sha256").update(JSON.stringify([process.platform, process.arch, ...context]));
  const files = listSources(root, folders);
  if (files === null) return null;
  for (const file of files) {
    const found = lstatSync(path.join(root, file), { bigint: true, throwIfNoEntry: false });
    if (found && now - Number(found.ctimeMs) < settledMs) return null;
    hash.update(`${file}\0${found && fileState(found)}\n`);
  }
  return hash.digest("hex");
}

/** listSources returns the files in these folders that git doesn't ignore, and the files of the root that all builds need. */
export function listSources(root: string, folders: string[]): string[] | null {
  try {
    return [...rootFiles, ...folders.flatMap((folder) => listFiles(root, folder))];
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

function listFiles(root: string, folder: string): string[] {
  const entries = readdirSync(path.join(root, folder), { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    if (!entry.isDirectory()) return [file];
    return ignored.has(entry.name) || entry.name.startsWith(".") ? [] : listFiles(root, file);
  });
}

/** fileState changes with every change of a file's content, mode or place. */
export function fileState({ size, mode, ino, mtimeNs, ctimeNs }: BigIntStats): string {
  return [size, mode, ino, mtimeNs, ctimeNs].join(" ");
}

/** environment returns the variables with this prefix, in a fixed order. */
export function environment(prefix: string, env = process.env): string[] {
  return Object.entries(env)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]) => `${name}=${value}`)
    .sort();
}
