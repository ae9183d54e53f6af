import { existsSync, mkdirSync, renameSync, rmSync, utimesSync } from "node:fs";
import path from "node:path";
import { step } from "../progress.ts";
import { Refusal } from "../refusal.ts";
import { digestSources, environment } from "./source-digest.ts";
import { planTurbo, runTurbo } from "./turbo/run.ts";
import type { TurboPlan } from "./turbo/summary.ts";
import { findBuild, recordSources, recordUser, removeUnusedBuilds } from "./web-builds.ts";
import { withFolderLock } from "./with-folder-lock.ts";

const task = "@fairlead/web#build";
type Turbo = { plan: typeof planTurbo; run: typeof runTurbo };
/** The inputs of the build: the packages that the dashboard depends on, and the tools that build them, as in turbo.json. */
export const webFolders = ["apps/web", "packages", "tools/client", "tools/dashboard"];

/**
 * buildWeb returns the folder of the dashboard's production build, and builds it if there is none for these sources.
 * turbo builds or restores into one folder; each build is then moved to a folder named by its hash. So a build never
 * overwrites one that is in use.
 */
export async function buildWeb(
  root: string,
  signal: AbortSignal,
  turbo: Turbo = { plan: planTurbo, run: runTurbo },
  digest = digestSources,
): Promise<string> {
  const builds = path.join(root, "apps/web/.next-builds");
  const sources = digest(root, webFolders, environment("NEXT_PUBLIC_"));
  const name = findBuild(builds, sources) ?? (await createBuild(root, builds, signal, turbo));
  recordUser(path.join(builds, name));
  // The digest is from before the build: sources that changed meanwhile have another.
  recordSources(path.join(builds, name), sources);
  removeUnusedBuilds(builds, name);
  return path.join(".next-builds", name);
}

async function createBuild(root: string, builds: string, signal: AbortSignal, turbo: Turbo): Promise<string> {
  const plan = await turbo.plan(root, task, { signal }).catch((error: Error) => {
    throw new Refusal(signal.aborted ? "Stopped during the build." : `The dashboard build failed: ${error.message}`);
  });
  const run = () => runBuild(root, signal, turbo.run);
  return existsSync(path.join(builds, plan.hash)) ? plan.hash : await build(builds, plan, signal, run);
}

async function build(
  builds: string,
  plan: TurboPlan,
  signal: AbortSignal,
  run: () => Promise<string>,
): Promise<string> {
  const title = plan.isCached
    ? "Restoring the dashboard's build from the cache"
    : "Building the dashboard (under a minute, only after a change)";
  const built = path.join(builds, "built");
  try {
    mkdirSync(builds, { recursive: true });
    return await step(title, () =>
      withFolderLock(built, signal, async () => {
        // Another start may have placed it while this one waited.
        if (existsSync(path.join(builds, plan.hash))) return plan.hash;
        rmSync(built, { recursive: true, force: true });
        const hash = await run();
        if (existsSync(path.join(builds, hash))) return hash;
        // A restored folder has its original build time: without a user yet, it would count as unused.
        const now = new Date();
        utimesSync(built, now, now);
        renameSync(built, path.join(builds, hash));
        return hash;
      }),
    );
  } catch (error) {
    if (signal.aborted) throw new Refusal("Stopped during the build.");
    if (error instanceof Error && "syscall" in error)
      throw new Refusal(
        `The dashboard build failed (${error.message}). Give this user write access to the checkout, or free disk space, and start again.`,
      );
    throw error;
  }
}

/** runBuild returns the hash that was actually built: sources may change after the plan. */
async function runBuild(root: string, signal: AbortSignal, run: Turbo["run"]): Promise<string> {
  const { code, output, tasks } = await run(root, [task], { signal });
  if (signal.aborted) throw new Refusal("Stopped during the build.");
  const done = tasks.find(({ id }) => id === task);
  if (code !== 0 || done?.exitCode !== 0) {
    const log = (done?.log || output).split("\n").slice(-25).join("\n");
    throw new Refusal(`The dashboard build failed:\n${log}`);
  }
  return done.hash;
}
