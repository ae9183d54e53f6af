import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const mounted = "/sys/fs/cgroup";
/** Where version 2 is mounted next to version 1, without controllers. runc uses both. */
const beside = path.join(mounted, "unified");

/** makeCgroups creates a cgroup below the machine's in every hierarchy. The guard removes it. */
export function makeCgroups(name: string): void {
  if (isUnified()) makeUnified(name);
  else for (const hierarchy of hierarchies()) makeIn(hierarchy, name);
  if (existsSync(beside)) mkdirSync(path.join(beside, name), { recursive: true });
}

/** unifiedFolder returns the folder of a cgroup in the hierarchy of version 2. */
export function unifiedFolder(name: string): string {
  return path.join(isUnified() ? mounted : beside, name);
}

function isUnified(): boolean {
  return existsSync(path.join(mounted, "cgroup.controllers"));
}

/** Version 1 has one hierarchy per controller. */
function hierarchies(): string[] {
  return readdirSync(mounted)
    .map((each) => path.join(mounted, each))
    .filter((each) => existsSync(path.join(each, "cgroup.clone_children")));
}

function makeIn(hierarchy: string, name: string): void {
  let folder = hierarchy;
  for (const part of name.split("/").filter(Boolean)) {
    const above = folder;
    folder = path.join(folder, part);
    mkdirSync(folder, { recursive: true });
    // A new cpuset is unusable until its CPUs and memory nodes are set.
    for (const file of ["cpuset.cpus", "cpuset.mems"])
      if (existsSync(path.join(folder, file)))
        writeFileSync(path.join(folder, file), readFileSync(path.join(above, file)));
  }
}

/** Version 2 has one hierarchy for all controllers, and each level must enable them for the next one. */
function makeUnified(name: string): void {
  let folder = mounted;
  for (const part of name.split("/").filter(Boolean)) {
    const has = readFileSync(path.join(folder, "cgroup.controllers"), "utf8").trim().split(" ").filter(Boolean);
    writeFileSync(path.join(folder, "cgroup.subtree_control"), has.map((each) => `+${each}`).join(" "));
    folder = path.join(folder, part);
    mkdirSync(folder, { recursive: true });
  }
}
