import type { Tx } from "@fairlead/db";
import type { DesiredExposure } from "@fairlead/domain";
import { markManyDirty, removeExposure } from "@fairlead/services";
import { againAfterMs, gone, type Outcome } from "../../../outcome.ts";
import { selectCarriers, selectConfiguredNodes } from "./carriers.sql.ts";
import type { Terms } from "./decide.ts";

/** How soon to look whether agents have let go, where no report says so. */
const stillThereMs = 2_000;

/**
 * takeDown has an exposure leave the configs of all agents first, and forgets it when none carries it any more: before
 * that its address is nobody else's.
 */
export async function takeDown(
  tx: Tx,
  desired: DesiredExposure,
  { now, presentForMs }: Omit<Terms, "times">,
): Promise<Outcome> {
  const ids = desired.loadBalancers.map((each) => each.id);
  const carriers = await selectCarriers(tx, desired.cluster.id, ids, presentForMs);
  // Also of agents that were given up: one that comes back must find a config without it.
  await markManyDirty(tx, "node", await selectConfiguredNodes(tx, desired), { urgent: true });
  if (carriers.length === 0) {
    await removeExposure(tx, desired.id, now);
    return gone;
  }
  const names = [...new Set(carriers.map((each) => each.nodeName))].join(", ");
  await tx.exposureStatus.updateMany({
    where: { exposureId: desired.id },
    data: {
      observedGeneration: desired.generation,
      message: `Leaves its replicas; waits for ${names}.`,
      observedAt: now,
    },
  });
  return againAfterMs(stillThereMs);
}
