import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { openDb } from "@fairlead/db";
import { DomainError } from "@fairlead/domain";
import type { ServiceContext } from "@fairlead/services";
import { ourContext } from "../first-start.ts";
import { labProgram, type Surroundings } from "../programs.ts";
import { step } from "../progress.ts";
import type { Settings } from "../settings.ts";
import type { Tree } from "../tree.ts";
import { findDemo, makeDemo } from "./demo.ts";
import { admitAgents } from "./demo-agents.ts";
import { labName } from "./name.ts";
import { runOnce } from "./run.ts";

type Place = { name: string; folder: string; topology: string; made: string; tokens: string; state: string };

/**
 * startLab brings up the lab with the demo, once the rest is ready. What keeps it from that is said in one sentence and
 * stops nothing else.
 */
export async function startLab(
  given: Surroundings,
  settings: Settings,
  binary: string | null,
  tree: Tree,
): Promise<void> {
  if (!binary) return; // why there is none was said when it should have been built
  const place = placeOf(settings.dataFolder);
  const lab = (...args: string[]) => labProgram(given, binary, args);
  try {
    // One that was killed together with its launcher may have left something, also where none is wanted any more.
    if (existsSync(place.topology)) await runOnce(lab("down", place.topology), tree.signal);
    if (!(settings.lab ?? settings.databaseUrl === null)) return;
    const check = () => runOnce(lab("check", place.topology), tree.signal);
    const sentence = await withContext(given, (ctx) => prepare(ctx, place, settings.lab === true, check));
    if (sentence !== null) {
      if (sentence) console.log(`• The lab with the demo does not run: ${sentence}`);
      return;
    }
    const { topology, tokens, state } = place;
    const flags = ["--control-plane", given.ownGatewayUrl, "--tokens", tokens, "--state", state];
    await step("Starting the lab: the cluster demo, with traffic of its own", async () =>
      tree.run(lab("up", topology, ...flags)),
    );
  } catch (error) {
    if (tree.signal.aborted) return;
    console.error("! The lab with the demo does not run:", error instanceof DomainError ? error.message : error);
  }
}

function placeOf(dataFolder: string): Place {
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

/** prepare answers null when the lab may start; otherwise why not, or nothing where nobody would ask. */
async function prepare(
  ctx: ServiceContext,
  place: Place,
  isAsked: boolean,
  check: () => Promise<string | null>,
): Promise<string | null> {
  const standing = await findDemo(ctx, place.made, isAsked);
  if (standing.is === "unwanted") return "";
  if (standing.is === "deleted")
    return `its cluster was deleted. To have it made anew, remove ${place.folder} and start again.`;
  mkdirSync(place.folder, { recursive: true, mode: 0o700 });
  const shipped = readFileSync(path.join(import.meta.dirname, "demo-topology.yaml"), "utf8");
  // One that was made before there was BGP, or whose owner wants none, goes on without.
  const routing = standing.is === "there" && !(await speaksBgp(ctx, standing.clusterId)) ? "lab" : "bgp";
  writeFileSync(place.topology, `name: ${place.name}\nrouting: ${routing}\n${shipped}`);
  if (standing.is === "wanted") {
    const why = await check();
    if (why !== null) return `${why}. All else works; FAIRLEAD_LAB=off leaves it out without a word.`;
  }
  const clusterId = standing.is === "there" ? standing.clusterId : await makeDemo(ctx, place.made);
  await admitAgents(ctx, clusterId, { tokens: place.tokens, identities: path.join(place.state, place.name) });
  return null;
}

async function speaksBgp(ctx: ServiceContext, clusterId: string): Promise<boolean> {
  const { routing } = await ctx.db.cluster.findUniqueOrThrow({ where: { id: clusterId }, select: { routing: true } });
  return routing !== null;
}

async function withContext<T>(given: Surroundings, work: (ctx: ServiceContext) => Promise<T>): Promise<T | string> {
  const db = openDb(given.databaseUrl, { connections: 2, applicationName: "fairlead-launcher" });
  try {
    const ctx = await ourContext(db, given);
    return ctx ? await work(ctx) : "";
  } finally {
    await db.$disconnect();
  }
}
