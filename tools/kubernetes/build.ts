import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { identify, isAlive, type ProcessIdentity } from "../../packages/launcher/src/process-identity.ts";
import { step } from "../../packages/launcher/src/progress.ts";
import type { Go } from "./go.ts";
import { buildFlags, missingIn, moduleFolder, type ProgramSet } from "./programs.ts";

/** buildInto builds the programs of a set that a folder lacks. Each appears there whole, or not at all. */
export async function buildInto(folder: string, set: ProgramSet, go: Go, signal: AbortSignal): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await inTurn(folder, signal, async () => {
    // What a build left that was killed.
    for (const file of readdirSync(folder)) if (file.startsWith(".")) remove(path.join(folder, file));
    for (const name of missingIn(folder, set))
      await step(`Building ${name} from its Go module (once; all of them take about ${set.takes} of two cores)`, () =>
        build(name, folder, set, go, signal),
      );
  });
}

async function build(name: string, folder: string, set: ProgramSet, go: Go, signal: AbortSignal): Promise<void> {
  const program = set.programs[name];
  if (!program) throw new Error(`${name} is no program of the ${set.name}`);
  // Go leaves what it made so far behind when it is interrupted, so it works where we clear up.
  const scraps = path.join(folder, `.${name}.${process.pid}`);
  const begun = path.join(scraps, name);
  mkdirSync(scraps);
  try {
    await go.run(
      ["build", ...buildFlags(), ...(program.flags ?? []), "-o", begun, program.package],
      moduleFolder(program.module),
      scraps,
      signal,
    );
    renameSync(begun, path.join(folder, name));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${name} could not be built from ${moduleFolder(program.module)}: ${why}`, { cause });
  } finally {
    remove(scraps);
  }
}

function remove(scraps: string): void {
  rmSync(scraps, { recursive: true, force: true });
}

/**
 * inTurn keeps two who want the same programs from compiling them twice at once. It is a courtesy: if two take over
 * after a third that died, both build, and as each program is moved into place at the end, both end right.
 */
async function inTurn(folder: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  const lock = `${folder}.lock`;
  const own = `${lock}.${process.pid}`;
  writeFileSync(own, JSON.stringify(identify(process.pid)));
  try {
    while (!taken(own, lock)) {
      const holder = read(lock);
      if (!holder || !isAlive(holder)) rmSync(lock, { force: true });
      else await sleep(500, undefined, { signal });
    }
    try {
      await work();
    } finally {
      rmSync(lock, { force: true });
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/** A link appears with its content, so nobody reads half of it. */
function taken(own: string, lock: string): boolean {
  try {
    linkSync(own, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function read(lock: string): ProcessIdentity | null {
  try {
    return JSON.parse(readFileSync(lock, "utf8")) as ProcessIdentity;
  } catch {
    return null; // it is gone, or nobody's
  }
}
