import { inTransaction } from "@fairlead/db";
import { conflict, notFound } from "@fairlead/domain";
import { isFinal, type Move, type MoveState } from "@fairlead/domain/move";
import { authorize, type ServiceContext } from "../context.ts";
import { markDirty } from "../control/mark-dirty.sql.ts";
import { recordChange } from "../control/record-change.ts";
import { changeMoveState } from "./change-state.ts";
import { lockMove } from "./lock.sql.ts";
import { loadMove, loadMoveRow, type MoveRow } from "./rows.ts";

type Changed = {
  state: MoveState;
  reason: string;
  message: string;
  more?: { stepAt: Date; servingSince: Date | null };
};

/** pauseMove keeps the shares as they are. Pausing it again changes nothing. */
export function pauseMove(ctx: ServiceContext, id: string): Promise<Move> {
  return change(ctx, id, "pause", ({ state, toClusterName }) => {
    if (state === "paused") return null;
    if (state === "rolling-back")
      throw conflict("This move is being rolled back, which can't be paused: wait for its end.");
    const reason = `${ctx.actor.name} paused it.`;
    return { state: "paused", reason, message: `${ctx.actor.name} paused the move to ${toClusterName}.` };
  });
}

/** resumeMove watches the present step again from its start, then continues. */
export function resumeMove(ctx: ServiceContext, id: string): Promise<Move> {
  return change(ctx, id, "resume", ({ state, step, servingSince, toClusterName }) => {
    if (state === "planned" || state === "watching") return null;
    if (state === "rolling-back")
      throw conflict("This move is being rolled back: wait for its end, then start another.");
    const more = { stepAt: ctx.now, servingSince: servingSince && ctx.now };
    const message = `${ctx.actor.name} resumed the move to ${toClusterName}.`;
    return { state: step === 0 ? "planned" : "watching", reason: "", message, ...(step === 0 ? {} : { more }) };
  });
}

/** rollBackMove returns the exposure to where it was. While the exposure is paused nothing can be written for it. */
export function rollBackMove(ctx: ServiceContext, id: string): Promise<Move> {
  return change(ctx, id, "roll-back", ({ state, fromClusterName, exposureName }, isPaused) => {
    if (state === "rolling-back") return null;
    if (isPaused) throw conflict(`The exposure ${exposureName} is paused: resume it, then roll back the move.`);
    const reason = `${ctx.actor.name} rolled it back.`;
    return { state: "rolling-back", reason, message: `${ctx.actor.name} rolled back the move to ${fromClusterName}.` };
  });
}

async function change(
  ctx: ServiceContext,
  id: string,
  action: "pause" | "resume" | "roll-back",
  decide: (row: MoveRow, isPaused: boolean) => Changed | null,
): Promise<Move> {
  authorize(ctx, "exposure:write");
  const { organizationId, now } = ctx;
  return inTransaction(ctx.db, async (tx) => {
    // Of another organisation: the same answer as if it did not exist.
    await loadMove(tx, organizationId, id);
    if (!(await lockMove(tx, id))) throw notFound("move", id);
    const row = { ...(await loadMoveRow(tx, organizationId, id)), organizationId };
    const { exposureId, exposureName, toClusterName, toClusterId } = row;
    if (isFinal(row.state)) throw conflict(`This move to ${toClusterName} has ended: start another one.`);
    const { pausedAt } = await tx.exposure.findUniqueOrThrow({ where: { id: exposureId }, select: { pausedAt: true } });
    const changed = decide(row, pausedAt !== null);
    if (!changed) return loadMove(tx, organizationId, id);
    const { state, reason, message, more } = changed;
    await changeMoveState(tx, row, { state, reason }, message, now);
    if (more) await tx.move.update({ where: { id }, data: more });
    await markDirty(tx, "move", id, { urgent: true });
    await recordChange(tx, ctx, {
      ...{
        action: `exposure.move.${action}`,
        subjectKind: "exposure",
        subjectId: exposureId,
        subjectName: exposureName,
      },
      ...{ clusterId: toClusterId, before: { moveId: id, state: row.state }, after: { moveId: id, state } },
    });
    return loadMove(tx, organizationId, id);
  });
}
