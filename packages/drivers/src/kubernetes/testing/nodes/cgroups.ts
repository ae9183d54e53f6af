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

/** CpuLimit is in CPU cores. A shorter period makes shorter pauses for processes that have used their time. */
export type CpuLimit = { cores: number; periodMs: number };

/**
 * limitPods limits the CPU time of all pods of a node, whose cgroup this is. Nodes get time before other programs of the machine
 * do, as if these ran elsewhere.
 */
export function limitPods(node: string, { cores, periodMs }: CpuLimit): void {
  const period = Math.round(periodMs * 1_000);
  const quota = Math.round(cores * period);
  const all = path.dirname(node);
  if (isUnified()) {
    writeFileSync(path.join(mounted, all, "cpu.weight"), "10000");
    writeFileSync(path.join(mounted, podsBelow(node), "cpu.max"), `${quota} ${period}`);
    return;
  }
  writeFileSync(path.join(mounted, "cpu", all, "cpu.shares"), "262144");
  const pods = path.join(mounted, "cpu", podsBelow(node));
  writeFileSync(path.join(pods, "cpu.cfs_period_us"), String(period));
  writeFileSync(path.join(pods, "cpu.cfs_quota_us"), String(quota));
}

/** CpuFolders are paths below the folder where cgroups are mounted. */
export type CpuFolders = {
  /** The CPU limit of a node's pods. */
  limit: string;
  /** The CPU time that they have used. */
  used: string;
  /** What a process of a pod joins to be outside of both, as if it ran elsewhere. */
  outside: string[];
};

/** cpuFolders returns those of a node, whose cgroup this is. */
export function cpuFolders(node: string): CpuFolders {
  const pods = podsBelow(node);
  if (!isUnified()) {
    const [limit, used] = ["cpu", "cpuacct"].map((each) => path.join(each, pods));
    return { limit: limit ?? "", used: used ?? "", outside: ["cpu", "cpuacct"] };
  }
  // Still below the node, because its agent's programs have to see its connections.
  const outside = path.join(node, "outside").slice(1);
  mkdirSync(path.join(mounted, outside), { recursive: true });
  return { limit: pods, used: pods, outside: [outside] };
}

/** The kubelet creates it. */
function podsBelow(node: string): string {
  return path.join(node, "kubepods").slice(1);
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
