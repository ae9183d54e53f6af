import path from "node:path";
import type { Simulator } from "@fairlead/services";
import { env } from "../../env.ts";
import { createSimulator } from "./create-simulator.ts";
import { describeCure } from "./describe-cure.ts";

// Route handlers are bundled separately, but the limits are those of the process.
const kept = globalThis as { fairleadSimulator?: Simulator };

/** simulator runs the agent that this installation offers to machines like its own: the launcher and images provide it. */
export function simulator(): Simulator {
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  // The server runs in apps/web.
  const folder = path.join(/* turbopackIgnore: true */ process.cwd(), "../../agents/bin/download");
  kept.fairleadSimulator ??= createSimulator({
    file: path.join(folder, `${process.platform}-${arch}`),
    cure: describeCure(process.platform, env().agentBuilder !== null),
  });
  return kept.fairleadSimulator;
}
