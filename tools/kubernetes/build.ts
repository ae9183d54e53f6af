import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { withFolderLock } from "../../packages/launcher/src/build/with-folder-lock.ts";
import { step } from "../../packages/launcher/src/progress.ts";
import type { Go } from "./go.ts";
import { buildFlags, executableOf, missingIn, moduleFolder, type Program, type ProgramSet } from "./programs.ts";

/**
 * buildInto builds the missing programs of a set into a folder. Each appears there complete, or not at all. One call of Go
 * builds all programs of a module: it checks shared packages once, and links one program while it compiles the next.
 */
export async function buildInto(folder: string, set: ProgramSet, go: Go, signal: AbortSignal): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await withFolderLock(folder, signal, async () => {
    // Left by a build that was killed.
    for (const file of readdirSync(folder)) if (file.startsWith(".")) remove(path.join(folder, file));
    const missing = new Set(missingIn(folder, set));
    const all = Object.entries(set.programs).map(([name, program]) => ({ name, ...program }));
    const toBuild = all.filter(({ name }) => missing.has(name));
    for (const [module, programs] of Map.groupBy(toBuild, (program) => program.module))
      await step(`Building ${namesOf(programs)} (once; the whole ${set.name} takes ${set.takes} on two cores)`, () =>
        build(moduleFolder(module), programs, folder, go, signal),
      );
  });
}

type Named = Program & { name: string };

function namesOf(programs: readonly Named[]): string {
  return programs.map(({ name }) => name).join(", ");
}

async function build(
  module: string,
  programs: readonly Named[],
  folder: string,
  go: Go,
  signal: AbortSignal,
): Promise<void> {
  // An interrupted Go leaves its files behind, so it works in a folder that is removed.
  const scraps = path.join(folder, `.build.${process.pid}`);
  const built = path.join(scraps, "built");
  mkdirSync(built, { recursive: true });
  try {
    const packages = programs.map((program) => program.package);
    await go.run(["build", ...buildFlags(), "-o", `${built}/`, ...packages], module, scraps, signal);
    for (const program of programs)
      renameSync(path.join(built, executableOf(program)), path.join(folder, program.name));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${namesOf(failedOf(programs, built))} failed to build from ${module}: ${why}`, { cause });
  } finally {
    remove(scraps);
  }
}

/** Go continues with the programs that don't depend on the failed package. */
function failedOf(programs: readonly Named[], built: string): readonly Named[] {
  const failed = programs.filter((program) => !existsSync(path.join(built, executableOf(program))));
  return failed.length > 0 ? failed : programs;
}

function remove(scraps: string): void {
  rmSync(scraps, { recursive: true, force: true });
}
