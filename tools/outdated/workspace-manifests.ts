import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";

/** workspaceManifests lists the package.json of each npm workspace, relative to the root. */
export function workspaceManifests(root: string): string[] {
  const { workspaces } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { workspaces: string[] };
  return globSync(workspaces, { cwd: root })
    .map((folder) => path.join(folder, "package.json"))
    .filter((file) => existsSync(path.join(root, file)))
    .sort();
}
