import { inTransaction } from "@fairlead/db";
import { conflict } from "@fairlead/domain";
import { type Exposure, hideExposureAddresses } from "@fairlead/domain/exposure";
import { unlessMap } from "../address-map/may-read.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { checkGeneration } from "../control/generation.ts";
import { lockRow } from "../control/lock-row.sql.ts";
import { markDirty } from "../control/mark-dirty.sql.ts";
import { freezeSpec } from "./freeze-spec.sql.ts";
import { loadExposure } from "./get.ts";
import { recordPauseChange } from "./record-pause-change.ts";

/**
 * pauseExposure stops all changes of an exposure: nothing outside is created, changed, removed or repaired for it, and
 * traffic continues. Pausing it again changes nothing.
 */
export async function pauseExposure(ctx: ServiceContext, id: string, expectedGeneration?: number): Promise<Exposure> {
  authorize(ctx, "exposure:write");
  const { organizationId, now } = ctx;
  const hide = unlessMap(ctx, hideExposureAddresses<Exposure>);
  return inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, "exposure", organizationId, id);
    const before = await loadExposure(tx, organizationId, id);
    if (before.deletedAt) throw conflict(`The exposure ${before.name} is being deleted and can't be paused.`);
    if (before.pausedAt) return hide(before);
    checkGeneration("exposure", before.generation, expectedGeneration);
    await freezeSpec(tx, id, now);
    await markDirty(tx, "exposure", id, { urgent: true });
    const after = await loadExposure(tx, organizationId, id);
    await recordPauseChange(tx, ctx, before, after);
    return hide(after);
  });
}
