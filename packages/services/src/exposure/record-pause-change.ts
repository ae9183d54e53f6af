import type { Tx } from "@fairlead/db";
import type { Exposure } from "@fairlead/domain/exposure";
import type { ServiceContext } from "../context.ts";
import { recordChange } from "../control/record-change.ts";
import { recordEvent } from "../control/record-event.ts";

/** recordPauseChange records who paused or resumed an exposure, in the audit log and among its events. */
export async function recordPauseChange(tx: Tx, ctx: ServiceContext, before: Exposure, after: Exposure): Promise<void> {
  const { id, name, clusterId, pausedAt } = after;
  const subject = { subjectKind: "exposure" as const, subjectId: id, subjectName: name, clusterId };
  await recordEvent(tx, ctx.organizationId, {
    at: ctx.now,
    ...(pausedAt
      ? {
          reason: "Paused" as const,
          message: `${ctx.actor.name} paused ${name}: nothing is changed or repaired until it is resumed.`,
        }
      : { reason: "Resumed" as const, message: `${ctx.actor.name} resumed ${name}: its newest spec is applied.` }),
    ...subject,
  });
  await recordChange(tx, ctx, {
    action: pausedAt ? "exposure.pause" : "exposure.resume",
    ...subject,
    before: { pausedAt: before.pausedAt },
    after: { pausedAt },
  });
}
