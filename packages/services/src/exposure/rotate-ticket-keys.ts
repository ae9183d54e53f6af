import { inTransaction } from "@fairlead/db";
import { conflict } from "@fairlead/domain";
import { type Exposure, hideExposureAddresses } from "@fairlead/domain/exposure";
import { unlessMap } from "../address-map/may-read.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { lockRow } from "../control/lock-row.sql.ts";
import { markDirty } from "../control/mark-dirty.sql.ts";
import { recordChange } from "../control/record-change.ts";
import { loadExposure } from "./get.ts";

/**
 * rotateTicketKeys requests the next rotation of an exposure's managed ticket keys, before it is due. One rotation runs at a
 * time, because a server has room for few keys. Requesting it again before it has started changes nothing.
 */
export async function rotateTicketKeys(ctx: ServiceContext, id: string): Promise<Exposure> {
  authorize(ctx, "exposure:write");
  const { organizationId, now } = ctx;
  const hide = unlessMap(ctx, hideExposureAddresses<Exposure>);
  return inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, "exposure", organizationId, id);
    const exposure = await loadExposure(tx, organizationId, id);
    refuseWithoutManagedKeys(exposure);
    const rotation = await tx.ticketRotation.findUnique({ where: { exposureId: id } });
    if (!rotation) throw conflict(`${exposure.name} has no ticket keys yet. They are created within a minute.`);
    if (rotation.phase !== "idle") throw conflict(whyRunning(exposure.name, rotation));
    if (rotation.requestedAt) return hide(exposure);
    await tx.ticketRotation.update({ where: { exposureId: id }, data: { requestedAt: now } });
    await markDirty(tx, "exposure", id, { urgent: true });
    const [epoch = 0] = rotation.epochs;
    await recordChange(tx, ctx, {
      action: "exposure.rotate-ticket-keys",
      subjectKind: "exposure",
      subjectId: id,
      subjectName: exposure.name,
      clusterId: exposure.clusterId,
      before: { epoch },
      after: { epoch: epoch + 1 },
    });
    return hide(exposure);
  });
}

function refuseWithoutManagedKeys({ name, strategy, deletedAt, pausedAt }: Exposure): void {
  if (strategy.type !== "session" || strategy.names !== "managed")
    throw conflict(`The ticket keys of ${name} aren't managed: set names to managed first.`);
  if (deletedAt) throw conflict(`The exposure ${name} is being deleted.`);
  if (pausedAt) throw conflict(`The exposure ${name} is paused: resume it first.`);
}

function whyRunning(name: string, { phase, dropAt }: { phase: string; dropAt: Date | null }): string {
  const running = `A rotation of the ticket keys of ${name} is running`;
  if (phase !== "retiring" || dropAt === null) return `${running} (${phase}): wait until it is complete.`;
  const until = dropAt.toISOString().slice(0, 16).replace("T", " ");
  return `${running}: clients may use tickets of the former key until ${until} UTC. Start the next one after that.`;
}
