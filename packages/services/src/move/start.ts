import { inTransaction } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import { type Move, type MovePlace, type StartMove, usualGates, usualSteps } from "@fairlead/domain/move";
import { authorize, type ServiceContext } from "../context.ts";
import { lockRow } from "../control/lock-row.sql.ts";
import { markDirty } from "../control/mark-dirty.sql.ts";
import { recordChange } from "../control/record-change.ts";
import { checkMove } from "./check.ts";
import { recordMoveStep } from "./record-step.ts";
import { loadMoveRow } from "./rows.ts";

/** startMove begins to move an exposure to another cluster. The controller applies the steps. */
export async function startMove(ctx: ServiceContext, input: StartMove): Promise<Move> {
  authorize(ctx, "exposure:write");
  const { organizationId, now } = ctx;
  return inTransaction(ctx.db, async (tx) => {
    // The lock on the exposure's row serialises two that start at once.
    await lockRow(tx, "exposure", organizationId, input.exposureId, { path: ["exposureId"] });
    const { exposure, from, to } = await checkMove(tx, ctx, input);
    const id = newId("move", now);
    const { workload, steps = usualSteps, watchSeconds, gates = usualGates } = input;
    const before: MovePlace = { clusterId: from.id, workload: exposure.workload, placements: exposure.placements };
    await tx.move.create({
      data: {
        ...{ id, organizationId, exposureId: exposure.id, fromClusterId: from.id, fromClusterName: from.name },
        ...{ toClusterId: to.id, toClusterName: to.name, ...(workload ? { workload } : {}), steps, watchSeconds },
        ...{ gates, before, state: "planned", startedBy: ctx.actor.name, startedAt: now },
      },
    });
    await markDirty(tx, "move", id, { urgent: true });
    const after = await loadMoveRow(tx, organizationId, id);
    const message = `${ctx.actor.name} started to move ${exposure.name} from ${from.name} to ${to.name}: ${steps.join(", ")} %.`;
    const started = { reason: "MoveStarted", state: "planned", share: 0, message } as const;
    await recordMoveStep(tx, { ...after, organizationId }, started, now);
    await recordChange(tx, ctx, {
      ...{ action: "exposure.move", subjectKind: "exposure", subjectId: exposure.id, subjectName: exposure.name },
      ...{
        clusterId: from.id,
        before: null,
        after: { moveId: id, clusterId: to.id, workload, steps, watchSeconds, gates },
      },
    });
    return toMove(after);
  });
}

export function toMove({
  before: _,
  servingSince: __,
  ...shown
}: Move & { before?: unknown; servingSince?: unknown }): Move {
  return shown;
}
