import type { GuardedPrograms } from "../guarded-programs.ts";
import { inNetwork } from "./machine.ts";
import { endsOf, layLines, type Site } from "./network.ts";

/** Delay is that of a round trip between two nodes. The program is fairlead-bench. */
export type Delay = { program: string; roundTripMs: number };

const name = "delay";

/** startDelay puts a delay line between each pair of nodes. */
export async function startDelay(
  programs: GuardedPrograms,
  site: Site,
  { program, roundTripMs }: Delay,
): Promise<Site> {
  const delayed = await layLines(site);
  const ends = delayed.lines.map((pair) => endsOf(pair).join(":"));
  const args = ["delay", `--round-trip=${roundTripMs}ms`, `--ends=${ends.join(",")}`];
  const [command = "", ...rest] = inNetwork(site.hub, [program, ...args]);
  programs.start(name, command, rest);
  return delayed;
}
