import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

type Wanted = {
  platform: string;
  file: string;
  /** The program that builds an agent; null in images, which contain both. */
  builder: string | null;
};

type Outcome = { state: "ready" } | { state: "building" } | { state: "missing"; why: string };

type Build = { outcome: Outcome; endedAt: number };

/** After a failure, such as a missing compiler, the next request may try again. */
const retryAfterMs = 60_000;
/** A build takes a minute on a slow machine. */
const maxBuildMs = 15 * 60_000;

// Route handlers are bundled separately, but a program is built once.
const kept = globalThis as { fairleadAgentBuilds?: Map<string, Build> };
const builds = () => {
  kept.fairleadAgentBuilds ??= new Map();
  return kept.fairleadAgentBuilds;
};

/**
 * buildAgent returns whether the agent of a platform can be downloaded. The launcher provides that of its own platform at
 * each start. The other one is built on its first request, because few installations need it, and requests until then
 * get 503 with Retry-After.
 */
export async function buildAgent(wanted: Wanted, now = Date.now()): Promise<Outcome> {
  const { platform, file, builder } = wanted;
  if (builder === null || platform === ownPlatform()) {
    if (existsSync(file)) return { state: "ready" };
    if (builder === null) return { state: "missing", why: "This installation was built without it." };
  }
  const known = builds().get(file);
  const mayRetry = known?.outcome.state === "missing" && now - known.endedAt > retryAfterMs;
  const isGone = known?.outcome.state === "ready" && !existsSync(file);
  if (known && !mayRetry && !isGone) return known.outcome;
  const build: Build = { outcome: { state: "building" }, endedAt: 0 };
  builds().set(file, build);
  void run(builder, wanted).then((problem) => {
    build.outcome = problem === null ? { state: "ready" } : { state: "missing", why: problem };
    build.endedAt = Date.now();
  });
  return build.outcome;
}

/** ownPlatform is that of the launcher's own agent. */
function ownPlatform(): string {
  return `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
}

/** run builds beside the file and moves the result into place, so that no client gets a part of it. */
async function run(builder: string, { platform, file }: Wanted): Promise<string | null> {
  const part = path.join(path.dirname(file), `.${path.basename(file)}-${process.pid}`);
  try {
    await mkdir(path.dirname(file), { recursive: true });
    const problem = await runBuilder(builder, [platform.replace("linux-", ""), part]);
    if (problem === null) await rename(part, file);
    return problem;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await rm(part, { force: true });
  }
}

function runBuilder(builder: string, args: string[]): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(builder, args, { stdio: ["ignore", "ignore", "pipe"], timeout: maxBuildMs });
    const stop = () => void child.kill();
    process.once("exit", stop);
    let output = "";
    child.stderr.on("data", (chunk: Buffer) => {
      output = `${output}${chunk.toString()}`.slice(-4_000);
    });
    const end = (problem: string | null) => {
      process.off("exit", stop);
      resolve(problem);
    };
    child.once("error", (error) => end(error.message));
    child.once("close", (code) => end(code === 0 ? null : lastLine(output) || `The build ended with ${code}.`));
    if (child.pid) yieldTo(child.pid);
  });
}

/** yieldTo lets the product go first: the build takes a whole core for a while. */
function yieldTo(pid: number): void {
  try {
    os.setPriority(pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It ended already, or the system has no priorities.
  }
}

function lastLine(output: string): string {
  return output.trim().split("\n").at(-1) ?? "";
}
