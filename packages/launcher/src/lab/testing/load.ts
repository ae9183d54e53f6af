import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { LabStage } from "./lab-stage.ts";
import type { Load, LoadOptions } from "./load-client.ts";
import { until } from "./until.ts";

export type RunningLoad = { end: () => Promise<Load> };

const client = pathToFileURL(path.join(import.meta.dirname, "load-client.ts")).href;

/** startLoad opens connections from a client of a lab, and keeps them and new ones until its end. */
export async function startLoad(
  stage: LabStage,
  from: string,
  { readyWithinMs, ...of }: Omit<LoadOptions, "readyFile" | "endFile"> & { readyWithinMs: number },
): Promise<RunningLoad> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-load-"));
  const options: LoadOptions = { ...of, readyFile: path.join(folder, "ready"), endFile: path.join(folder, "end") };
  const module = `
    import { carryLoad } from ${JSON.stringify(client)};
    console.log(JSON.stringify(await carryLoad(${JSON.stringify(options)})));
    process.exit(0);`;
  let failure: unknown;
  const running = stage.runFrom(from, module).catch((error: unknown) => {
    failure = error;
  });
  const end = async () => {
    writeFileSync(options.endFile, "");
    const load = (await running) as Load | undefined;
    rmSync(folder, { recursive: true, force: true });
    if (!load) throw failure;
    return load;
  };
  try {
    await until("the connections are open", readyWithinMs, () => {
      if (failure) throw failure;
      return existsSync(options.readyFile);
    });
  } catch (error) {
    await end();
    throw error;
  }
  return { end };
}

/** countAnswers counts the new connections that began in a time, and those of them that given pods answered. */
export function countAnswers(
  { answers }: Load,
  pods: readonly string[],
  { from, to }: { from: Date; to: Date },
): { all: number; there: number } {
  const counted = { all: 0, there: 0 };
  for (const [second, counts] of Object.entries(answers)) {
    if (Number(second) * 1_000 < from.getTime() || (Number(second) + 1) * 1_000 > to.getTime()) continue;
    for (const [pod, count] of Object.entries(counts)) {
      counted.all += count;
      if (pods.includes(pod)) counted.there += count;
    }
  }
  return counted;
}
