import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { openDb } from "@fairlead/db";
import { DomainError } from "@fairlead/domain";
import type { ServiceContext } from "@fairlead/services";
import { step } from "../progress.ts";
import type { Settings } from "../settings.ts";
import { launcherContext } from "../start/first-start.ts";
import { type LaunchConfig, labProgram } from "../start/programs.ts";
import type { Tree } from "../start/tree.ts";
import { createDemo, findAddresses, findDemo } from "./demo.ts";
import { enrollLabAgents } from "./demo-agents.ts";
import {
  findAdaptiveLack,
  type OptionalService,
  optionalServices,
  type ServiceAddresses,
  topologyOf,
  whyNoSessions,
} from "./demo-services.ts";
import { labName } from "./name.ts";
import { type Ended, runOnce } from "./run.ts";

type LabFiles = { name: string; folder: string; topology: string; made: string; tokens: string; state: string };

/**
 * startLab starts the demo lab once everything else is ready. If it can't start, the reason is printed and everything
 * else keeps running.
 */
export async function startLab(
  config: LaunchConfig,
  settings: Settings,
  binary: string | null,
  tree: Tree,
): Promise<void> {
  if (!binary) return; // buildAgent() has printed the reason
  const files = labFiles(settings.dataFolder);
  const lab = (...args: string[]) => labProgram(config, binary, args);
  try {
    // A lab that was killed with its launcher may have left namespaces, also if no lab is wanted any more.
    if (existsSync(files.topology)) await runOnce(lab("down", files.topology), tree.signal);
    if (!(settings.lab ?? settings.databaseUrl === null)) return;
    const check = () => runOnce(lab("check", files.topology), tree.signal);
    const problem = await withContext(config, (ctx) => prepare(ctx, files, settings.lab === true, check));
    if (problem !== null) {
      if (problem) console.log(`• The demo lab is not running: ${problem}`);
      return;
    }
    const { topology, tokens, state } = files;
    const flags = ["--control-plane", config.ownGatewayUrl, "--tokens", tokens, "--state", state];
    await step("Starting the demo lab: cluster demo, with generated traffic", async () =>
      tree.run(lab("up", topology, ...flags)),
    );
  } catch (error) {
    if (tree.signal.aborted) return;
    console.error("! The demo lab is not running:", error instanceof DomainError ? error.message : error);
  }
}

function labFiles(dataFolder: string): LabFiles {
  const folder = path.join(dataFolder, "lab");
  const at = (name: string) => path.join(folder, name);
  return {
    name: labName(dataFolder),
    folder,
    topology: at("topology.yaml"),
    made: at("demo.json"),
    tokens: at("tokens"),
    state: at("state"),
  };
}

/** prepare returns null if the lab may start, or the reason why not; "" needs no message. */
async function prepare(
  ctx: ServiceContext,
  files: LabFiles,
  isRequested: boolean,
  check: () => Promise<Ended>,
): Promise<string | null> {
  const demo = await findDemo(ctx, files.made, isRequested);
  if (demo.is === "unwanted") return "";
  if (demo.is === "deleted") return `its cluster was deleted. To create it again, remove ${files.folder} and restart.`;
  mkdirSync(files.folder, { recursive: true, mode: 0o700 });
  const shipped = readFileSync(path.join(import.meta.dirname, "demo-topology.yaml"), "utf8");
  // A demo that was created without BGP, or whose owner disabled BGP, continues without it.
  const routing = demo.is === "there" && !(await usesBgp(ctx, demo.clusterId)) ? "lab" : "bgp";
  const write = (addresses: ServiceAddresses) =>
    writeFileSync(files.topology, topologyOf(shipped, { name: files.name, routing, addresses }));
  const noSessions = whyNoSessions(os.release(), process.getuid?.() === 0);
  let clusterId = demo.is === "there" ? demo.clusterId : null;
  if (clusterId === null) {
    write(new Map(optionalServices.map((name) => [name, null])));
    const { problem, output } = await check();
    if (problem !== null) return `${problem}. Everything else works; set FAIRLEAD_LAB=off to disable the lab.`;
    const services = ableServices({ "web-tls": noSessions, "web-adaptive": findAdaptiveLack(output) });
    clusterId = await createDemo(ctx, files.made, services);
  }
  const addresses = await findAddresses(ctx, clusterId);
  if (noSessions) addresses.delete("web-tls");
  write(addresses);
  await enrollLabAgents(ctx, clusterId, { tokens: files.tokens, identities: path.join(files.state, files.name) });
  return null;
}

/** ableServices returns the services that this machine can carry, and prints why not the others. */
function ableServices(lacks: Record<OptionalService, string | null>): OptionalService[] {
  for (const name of optionalServices)
    if (lacks[name]) console.log(`• The demo lab has no exposure ${name}: ${lacks[name]}`);
  return optionalServices.filter((name) => lacks[name] === null);
}

async function usesBgp(ctx: ServiceContext, clusterId: string): Promise<boolean> {
  const { routing } = await ctx.db.cluster.findUniqueOrThrow({ where: { id: clusterId }, select: { routing: true } });
  return routing !== null;
}

async function withContext<T>(config: LaunchConfig, work: (ctx: ServiceContext) => Promise<T>): Promise<T | string> {
  const db = openDb(config.databaseUrl, { connections: 2, applicationName: "fairlead-launcher" });
  try {
    const ctx = await launcherContext(db, config);
    return ctx ? await work(ctx) : "";
  } finally {
    await db.$disconnect();
  }
}
