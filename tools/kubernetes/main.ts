import { spawnSync } from "node:child_process";
import os from "node:os";
import { buildInto } from "./build.ts";
import { Go } from "./go.ts";
import { checkNamed, namedFolder } from "./named-folder.ts";
import { awsController, cacheFolder, controlPlane, missingIn, nodes, type ProgramSet } from "./programs.ts";

// Builds the programs of a Kubernetes control plane for tests that are missing, and prints their folder.
// --nodes also builds the programs of nodes, afterwards, because most of their packages are compiled by then. --aws also builds the AWS
// cloud controller. --idle builds only while no other process needs the processors.
// A parent process with a channel may send "hold" and "release". The build ends when its parent ends.

/** Longer than the slowest machine needs; it ends a build that hangs. */
const builtWithinMs = 90 * 60_000;

const stop = new AbortController();
const go = new Go();
const ask = (why: string) => () => stop.abort(new Error(why));
process.once("disconnect", ask("the parent process ended"));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, ask(`it was stopped (${signal})`));
process.on("message", (word) => {
  if (word === "hold") go.hold();
  if (word === "release") go.release();
});

try {
  for (const set of setsOf(process.argv))
    console.log(`Kubernetes' programs (${set.name}) are in ${await provide(set)}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
process.removeAllListeners("disconnect");
if (process.connected) process.disconnect();

function setsOf(argv: readonly string[]): ProgramSet[] {
  return [
    controlPlane,
    ...(argv.includes("--nodes") ? [nodes] : []),
    ...(argv.includes("--aws") ? [awsController] : []),
  ];
}

async function provide(set: ProgramSet): Promise<string> {
  const named = namedFolder(process.env, set);
  if (named) {
    await checkNamed(named, set);
    return named;
  }
  const folder = cacheFolder(process.env, set);
  if (missingIn(folder, set).length === 0) return folder;
  if (process.argv.includes("--idle")) yieldToAll();
  process.send?.("building");
  const signal = AbortSignal.any([stop.signal, late()]);
  await buildInto(folder, set, go, signal);
  return folder;
}

function late(): AbortSignal {
  const late = new AbortController();
  const why = new Error(`it took longer than ${builtWithinMs / 60_000} minutes`);
  setTimeout(() => late.abort(why), builtWithinMs).unref();
  return late.signal;
}

/** yieldToAll sets idle priority for this process and its future child processes. */
function yieldToAll(): void {
  go.isIdle = true;
  os.setPriority(os.constants.priority.PRIORITY_LOW);
  if (process.platform === "linux")
    spawnSync("chrt", ["--idle", "--pid", "0", String(process.pid)], { stdio: "ignore" });
}
