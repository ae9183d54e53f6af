import { inTransaction } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import {
  type CreateExposure,
  type Exposure,
  hideExposureAddresses,
  planExposure,
  reachedBy,
} from "@fairlead/domain/exposure";
import { unlessMap } from "../address-map/may-read.ts";
import { loadCluster } from "../cluster/get.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { lockRow } from "../control/lock-row.sql.ts";
import { markDirty } from "../control/mark-dirty.sql.ts";
import { recordChange } from "../control/record-change.ts";
import { onDuplicate } from "../control/unique.ts";
import { applyPlan } from "./apply-plan.ts";
import { checkKeyDelivery } from "./check-key-delivery.ts";
import { checkPlacements } from "./check-placements.ts";
import { checkPool } from "./check-pool.ts";
import { desiredOf } from "./desired-of.ts";
import { loadExposure } from "./get.ts";
import { nameTaken } from "./preview.ts";
import { splitStrategy, storedCheck } from "./rows.ts";

export async function createExposure(ctx: ServiceContext, input: CreateExposure): Promise<Exposure> {
  authorize(ctx, "exposure:write");
  const { organizationId, now } = ctx;
  return inTransaction(ctx.db, async (tx) => {
    // Shared: many exposures may be created in a cluster at once, but the cluster must not be deleted meanwhile.
    await lockRow(tx, "cluster", organizationId, input.clusterId, { mode: "share", path: ["clusterId"] });
    const cluster = await loadCluster(tx, organizationId, input.clusterId);
    checkKeyDelivery(cluster, input.strategy);
    await checkPool(tx, organizationId, cluster, input.strategy);
    const others = await checkPlacements(tx, ctx, { ...input, cluster });
    const id = newId("exposure", now);
    const { strategy, healthCheck = null, placements = [], ...rest } = input;
    const spec = { ...rest, placements, ...splitStrategy(strategy), healthCheck: storedCheck(healthCheck) };
    await onDuplicate(
      tx.exposure.create({ data: { ...spec, id, organizationId } }),
      ["name"],
      nameTaken(cluster.name, input.name),
    );
    const plan = planExposure(input, reachedBy(cluster), others);
    await applyPlan(tx, { organizationId, clusterId: cluster.id, exposureId: id, now }, plan);
    await markDirty(tx, "exposure", id, { urgent: true });
    const exposure = await loadExposure(tx, organizationId, id);
    await recordChange(tx, ctx, {
      action: "exposure.create",
      subjectKind: "exposure",
      subjectId: id,
      subjectName: exposure.name,
      clusterId: cluster.id,
      before: null,
      after: desiredOf(exposure),
    });
    return unlessMap(ctx, hideExposureAddresses)(exposure);
  });
}
