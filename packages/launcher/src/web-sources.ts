import { createHash, type Hash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

const ignored = new Set(["node_modules", ".next", ".next-builds", ".turbo", "dist", "e2e"]);
const scope = "@fairlead/";

/** webSources are what the dashboard is made of: itself, the packages of ours that it rests on, and the versions of all others. */
export function webSources(root: string): string[] {
  const found = new Set<string>();
  const look = (folder: string) => {
    if (found.has(folder)) return;
    found.add(folder);
    const { dependencies = {} } = JSON.parse(readFileSync(path.join(root, folder, "package.json"), "utf8")) as {
      dependencies?: Record<string, string>;
    };
    for (const name of Object.keys(dependencies))
      if (name.startsWith(scope)) look(`packages/${name.slice(scope.length)}`);
  };
  look("apps/web");
  return [...[...found].sort(), "package-lock.json", "tsconfig.base.json"];
}

export function digestWebSources(root: string): string {
  const hash = createHash("sha256");
  for (const source of webSources(root)) addToDigest(hash, root, source);
  return hash.digest("hex");
}

function addToDigest(hash: Hash, root: string, relative: string): void {
  const full = path.join(root, relative);
  if (statSync(full).isFile()) {
    if (!/(next-env\.d\.ts|\.tsbuildinfo|\.test\.tsx?)$/.test(relative))
      hash.update(relative).update(readFileSync(full));
    return;
  }
  for (const name of readdirSync(full).sort()) {
    if (!ignored.has(name)) addToDigest(hash, root, path.join(relative, name));
  }
}
