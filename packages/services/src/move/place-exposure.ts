import type { Tx } from "@fairlead/db";
import { planExposure, reachedBy } from "@fairlead/domain/exposure";
import type { MovePlace } from "@fairlead/domain/move";
import { loadCluster } from "../cluster/get.ts";
import { appendFeed } from "../control/append-feed.sql.ts";
import { markDirty } from "../control/mark-dirty.sql.ts";
import { markRouting } from "../control/mark-routing.sql.ts";
import { applyPlan } from "../exposure/apply-plan.ts";
import { loadOthers } from "../exposure/check-placements.ts";
import { loadExposure } from "../exposure/get.ts";
import { handOver } from "./hand-over.ts";

/** placeExposure writes where an exposure is, and plans again. The caller has locked its row. */
export async function placeExposure(
  tx: Tx,
  { organizationId, now }: { organizationId: string; now: Date },
  exposureId: string,
  { clusterId, workload, placements }: MovePlace,
): Promise<void> {
  const before = await loadExposure(tx, organizationId, exposureId);
  const isHandedOver = before.clusterId !== clusterId;
  if (isHandedOver) await handOver(tx, { ...before, organizationId }, { clusterId, now });
  await tx.exposure.update({
    where: { id: exposureId },
    data: { clusterId, workload, placements, sharesChangedAt: now, generation: { increment: 1 } },
  });
  const after = await loadExposure(tx, organizationId, exposureId);
  const cluster = await loadCluster(tx, organizationId, clusterId);
  const others = await loadOthers(tx, organizationId, after);
  await applyPlan(tx, { organizationId, clusterId, exposureId, now }, planExposure(after, reachedBy(cluster), others));
  // Reflectors and routers of either cluster accept the address for another reason from now on.
  if (isHandedOver) for (const each of [before.clusterId, clusterId].sort()) await markRouting(tx, each);
  await markDirty(tx, "exposure", exposureId, { urgent: true });
  await appendFeed(tx, organizationId, [{ subjectKind: "exposure", subjectId: exposureId, clusterId }]);
}
