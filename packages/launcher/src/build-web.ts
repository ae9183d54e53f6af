import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { step } from "./progress.ts";
import { Refusal } from "./refusal.ts";
import { dropUnusedBuilds, findBuild, isWhole, markWhole, noteUser } from "./web-builds.ts";
import { digestWebSources } from "./web-sources.ts";

/**
 * buildWeb makes the production build of the dashboard if there is none of exactly the sources that lie here, and
 * answers its folder. Each has a folder of its own, so that a product that runs keeps the one it was started with.
 */
export async function buildWeb(root: string, signal: AbortSignal): Promise<string> {
  const web = path.join(root, "apps/web");
  const builds = path.join(web, ".next-builds");
  const digest = digestWebSources(root).slice(0, 20);
  // Two starts at once may build the same: each in a folder of its own, and the next start takes either.
  const name = findBuild(builds, digest) ?? `${digest}-${process.pid}`;
  const distDir = path.join(".next-builds", name);
  if (!isWhole(path.join(builds, name)))
    await step("Building the dashboard (under a minute, only after a change)", () => build(root, distDir, signal));
  noteUser(path.join(builds, name));
  dropUnusedBuilds(builds, name);
  return distDir;
}

async function build(root: string, distDir: string, signal: AbortSignal): Promise<void> {
  const web = path.join(root, "apps/web");
  rmSync(path.join(web, distDir), { recursive: true, force: true });
  const next = path.join(root, "node_modules/next/dist/bin/next");
  const { code, output } = await run([next, "build"], { cwd: web, distDir, signal });
  if (signal.aborted) throw new Refusal("Stopped while building.");
  if (code !== 0) throw new Refusal(`The dashboard could not be built:\n${output.split("\n").slice(-25).join("\n")}`);
  // Most of what a build leaves is for another in the same folder, and there is none.
  rmSync(path.join(web, distDir, "cache"), { recursive: true, force: true });
  // It names types in the build's folder, which would be missed when that is gone.
  rmSync(path.join(web, "next-env.d.ts"), { force: true });
  markWhole(path.join(web, distDir));
}

function run(
  args: string[],
  { cwd, distDir, signal }: { cwd: string; distDir: string; signal: AbortSignal },
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const settings = { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", FAIRLEAD_WEB_BUILD: distDir };
    const env = { ...process.env, ...settings } as NodeJS.ProcessEnv;
    const child = spawn(process.execPath, args, { cwd, env, signal, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.once("error", (error) => {
      output += error.message; // it could not be started, or the signal ended it
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    child.once("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
