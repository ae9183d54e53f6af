import { inTransaction, Prisma } from "@fairlead/db";
import { carriesOwn, type Exposure, hideExposureAddresses, planExposure, reachedBy } from "@fairlead/domain/exposure";
import { unlessMap } from "../address-map/may-read.ts";
import { loadCluster } from "../cluster/get.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { checkGeneration } from "../control/generation.ts";
import { lockRow } from "../control/lock-row.sql.ts";
import { markCloudRoute } from "../control/mark-cloud-route.sql.ts";
import { markDirty } from "../control/mark-dirty.sql.ts";
import { applyPlan } from "./apply-plan.ts";
import { loadOthers } from "./check-placements.ts";
import { loadExposure } from "./get.ts";
import { recordPauseChange } from "./record-pause-change.ts";

/**
 * resumeExposure applies the newest spec of a paused exposure, and repairs what differs from it. If the spec needs an
 * address and its pool has none, the exposure stays paused. Resuming it again changes nothing.
 */
export async function resumeExposure(ctx: ServiceContext, id: string, expectedGeneration?: number): Promise<Exposure> {
  authorize(ctx, "exposure:write");
  const { organizationId, now } = ctx;
  const hide = unlessMap(ctx, hideExposureAddresses<Exposure>);
  return inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, "exposure", organizationId, id);
    const before = await loadExposure(tx, organizationId, id);
    if (!before.pausedAt) return hide(before);
    checkGeneration("exposure", before.generation, expectedGeneration);
    await tx.exposure.update({
      where: { id },
      data: { pausedAt: null, pausedSpec: Prisma.DbNull, sharesChangedAt: now },
    });
    const cluster = await loadCluster(tx, organizationId, before.clusterId);
    const target = { organizationId, clusterId: cluster.id, exposureId: id, now };
    const others = await loadOthers(tx, organizationId, before);
    await applyPlan(tx, target, planExposure(before, reachedBy(cluster), others));
    // The agents' configs were kept, so they may lack what was decided just before the pause.
    if (carriesOwn(cluster.kind, before.strategy))
      await tx.exposureStatus.updateMany({ where: { exposureId: id }, data: { appliedDigest: "" } });
    await markDirty(tx, "exposure", id, { urgent: true });
    await markCloudRoute(tx, cluster.id, { urgent: true });
    const after = await loadExposure(tx, organizationId, id);
    await recordPauseChange(tx, ctx, before, after);
    return hide(after);
  });
}
