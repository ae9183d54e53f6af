import { inTransaction } from "@fairlead/db";
import { conflict } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../context.ts";
import { checkGeneration } from "../control/generation.ts";
import { lockRow } from "../control/lock-row.sql.ts";
import { markDirty } from "../control/mark-dirty.sql.ts";
import { recordChange } from "../control/record-change.ts";
import { announceLoadBalancers } from "./announce-load-balancers.ts";
import { desiredOf } from "./desired-of.ts";
import { loadExposure } from "./get.ts";

/**
 * deleteExposure marks it for removal: the rows are deleted once the reconciler has seen that nothing of it is left.
 * Until then its name and addresses stay taken. Deleting it again changes nothing.
 */
export async function deleteExposure(ctx: ServiceContext, id: string, expectedGeneration?: number): Promise<void> {
  authorize(ctx, "exposure:write");
  await inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, "exposure", ctx.organizationId, id);
    const before = await loadExposure(tx, ctx.organizationId, id);
    if (before.deletedAt) return;
    if (before.pausedAt)
      throw conflict(`The exposure ${before.name} is paused, so it can't be deleted. Resume it, then delete it.`);
    checkGeneration("exposure", before.generation, expectedGeneration);
    await tx.exposure.update({ where: { id }, data: { deletedAt: ctx.now, generation: { increment: 1 } } });
    await markDirty(tx, "exposure", id, { urgent: true });
    await announceLoadBalancers(tx, ctx.organizationId, before);
    await recordChange(tx, ctx, {
      action: "exposure.delete",
      subjectKind: "exposure",
      subjectId: id,
      subjectName: before.name,
      clusterId: before.clusterId,
      before: desiredOf(before),
      after: null,
    });
  });
}
