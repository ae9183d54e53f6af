import type { Tx } from "@fairlead/db";
import { conflict } from "@fairlead/domain";

/**
 * refusePaused refuses another cloud route while an exposure of the cluster is paused: it would move every address, also
 * those of that exposure.
 */
export async function refusePaused(tx: Tx, clusterId: string): Promise<void> {
  const paused = await tx.exposure.findFirst({
    where: { clusterId, pausedAt: { not: null } },
    orderBy: { name: "asc" },
    select: { name: true },
  });
  if (paused)
    throw conflict(
      `The exposure ${paused.name} is paused, and its cloud route can't change meanwhile. Resume it, then change the cloud route.`,
      ["cloudRoute"],
    );
}
