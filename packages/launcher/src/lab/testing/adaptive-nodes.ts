import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { createEnrollmentToken } from "@fairlead/services";
import type { LabStage } from "./lab-stage.ts";

/** AdaptiveNodes are nodes of a lab, each with a cgroup of its own and an agent of the role adaptive. */
export type AdaptiveNodes = {
  /** move moves the processes of members, such as pods, into the cgroup of a node. */
  move: (nodeName: string, members: readonly string[]) => void;
  /** askFrom runs a module of JavaScript at a node, in its cgroup, and parses what it prints. */
  askFrom: (nodeName: string, module: string) => Promise<unknown>;
  stop: () => Promise<void>;
};

const meshPort = 7448;

/** setAdaptiveNodes needs root. */
export async function setAdaptiveNodes(stage: LabStage, nodeNames: readonly string[]): Promise<AdaptiveNodes> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-adaptive-"));
  const at = (...names: string[]) => path.join(folder, ...names);
  const children: ChildProcess[] = [];
  mkdirSync(at("hierarchy"));
  execFileSync("mount", ["-t", "cgroup2", "none", at("hierarchy")]);
  const cgroupOf = (nodeName: string) => at("hierarchy", `${path.basename(folder)}-${nodeName}`);
  const inside = (nodeName: string) => [`--net=${stage.networkOf(nodeName)}`];
  const replicaOf = (nodeName: string) => `${path.basename(folder)}-${nodeName}`;

  async function start(nodeName: string): Promise<void> {
    mkdirSync(cgroupOf(nodeName));
    const { token } = await createEnrollmentToken(stage.now(), {
      ...{ clusterId: stage.clusterId, nodeName, roles: ["adaptive"], expiresInMinutes: 60 },
    });
    writeFileSync(at(`${nodeName}.token`), token, { mode: 0o600 });
    const flags = ["--control-plane", "https://127.0.0.1:7443", "--token-file", at(`${nodeName}.token`)];
    flags.push("--state", at(`${nodeName}.state`), "--node-name", nodeName, "--replica", replicaOf(nodeName));
    flags.push("--cgroup", cgroupOf(nodeName), "--mesh-listen", `${addressOf(stage, nodeName)}:${meshPort}`);
    const command = [...inside(nodeName), stage.agent, "adaptive", ...flags];
    children.push(spawn("nsenter", command, { stdio: "ignore", cwd: folder }));
  }

  async function stop(): Promise<void> {
    for (const child of children) {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      if (child.exitCode === null && child.signalCode === null && child.kill("SIGINT")) await ended;
    }
    // What agents pinned continues without them.
    for (const nodeName of nodeNames)
      rmSync(`/sys/fs/bpf/fairlead/${replicaOf(nodeName)}`, { recursive: true, force: true });
    for (const nodeName of nodeNames) emptyAndRemove(at("hierarchy"), cgroupOf(nodeName));
    execFileSync("umount", [at("hierarchy")]);
    rmSync(folder, { recursive: true, force: true });
  }

  try {
    for (const nodeName of nodeNames) await start(nodeName);
  } catch (error) {
    await stop();
    throw error;
  }

  return {
    move(nodeName, members) {
      for (const member of members)
        for (const pid of execFileSync("ip", ["netns", "pids", path.basename(stage.networkOf(member))])
          .toString()
          .split("\n")
          .filter(Boolean))
          writeFileSync(path.join(cgroupOf(nodeName), "cgroup.procs"), pid);
    },
    async askFrom(nodeName, module) {
      const enter = `echo $$ > ${path.join(cgroupOf(nodeName), "cgroup.procs")} && exec "$@"`;
      const command = ["sh", "-c", enter, "sh", process.execPath, "--input-type=module", "-e", module];
      const { stdout } = await promisify(execFile)("nsenter", [...inside(nodeName), ...command]);
      return JSON.parse(stdout);
    },
    stop,
  };
}

/** The processes of the lab may still run. */
function emptyAndRemove(hierarchy: string, cgroup: string): void {
  if (!existsSync(cgroup)) return;
  const pids = execFileSync("cat", [path.join(cgroup, "cgroup.procs")])
    .toString()
    .split("\n")
    .filter(Boolean);
  for (const pid of pids) writeFileSync(path.join(hierarchy, "cgroup.procs"), pid);
  rmdirSync(cgroup);
}

function addressOf(stage: LabStage, nodeName: string): string {
  const shown = stage.lab("exec", nodeName, "ip", "-4", "-br", "address", "show", "scope", "global");
  const address = /(\d+\.\d+\.\d+\.\d+)\//.exec(shown)?.[1];
  if (!address) throw new Error(`${nodeName} has no address: ${shown}`);
  return address;
}
