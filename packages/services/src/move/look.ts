import type { Tx } from "@fairlead/db";
import { isFinal, judgeGates, keptShare, type MovePlan, placeAt, planMove } from "@fairlead/domain/move";
import { loadExposure } from "../exposure/get.ts";
import { applyMoveStep } from "./apply-step.ts";
import { changeMoveState } from "./change-state.ts";
import { selectMoveFigures } from "./figures.sql.ts";
import { lockMove } from "./lock.sql.ts";
import { placeExposure } from "./place-exposure.ts";
import { loadMoveRow, type MoveRow } from "./rows.ts";

/** How soon to look again: a gate that closes is noticed within a second. */
const lookEveryMs = { planned: 100, watching: 1_000, paused: 5_000, "rolling-back": 500 } as const;

/**
 * lookAtMove judges the gates of a move and does what is due, in one transaction. All its decisions are based on stored state, so it
 * doesn't matter which controller looks, how often, or whether the last one crashed. It returns when to look again; null if it has
 * ended or is gone. Only the controller calls it.
 */
export async function lookAtMove(tx: Tx, id: string, now: Date): Promise<number | null> {
  const locked = await lockMove(tx, id);
  if (!locked) return null;
  const { organizationId } = locked;
  const row = { ...(await loadMoveRow(tx, organizationId, id)), organizationId };
  if (isFinal(row.state)) return null;
  const exposure = await loadExposure(tx, organizationId, row.exposureId);
  const figures = await selectMoveFigures(tx, row, row.servingSince ?? row.stepAt, now);
  const gates = judgeGates(row.gates, figures);
  const isFirst = row.step > 0 && row.state === "watching" && row.servingSince === null && figures.target.isServing;
  const servingSince = isFirst ? now : row.servingSince;
  await tx.move.update({ where: { id }, data: { figures: gates, judgedAt: now, servingSince } });
  const rollingBackSince = row.state === "rolling-back" ? await findRollbackStart(tx, id) : null;
  const progress = { ...row, servingSince, rollingBackSince, figures, gates };
  const is = { isPaused: exposure.pausedAt !== null, isDeleted: exposure.deletedAt !== null };
  await perform(tx, row, planMove({ ...progress, exposure: is }, now), exposure.clusterId, now);
  const { state } = await tx.move.findUniqueOrThrow({ where: { id }, select: { state: true } });
  return state in lookEveryMs ? lookEveryMs[state as keyof typeof lookEveryMs] : null;
}

/** A rollback is never paused or resumed, so its first entry is its start. */
async function findRollbackStart(tx: Tx, moveId: string): Promise<Date | null> {
  const first = await tx.moveStep.findFirst({ where: { moveId, state: "rolling-back" }, orderBy: { at: "asc" } });
  return first?.at ?? null;
}

type Looked = MoveRow & { organizationId: string };

async function perform(tx: Tx, row: Looked, plan: MovePlan, clusterId: string, now: Date): Promise<void> {
  const { fromClusterName, toClusterName, exposureName } = row;
  switch (plan.type) {
    case "wait":
      return;
    case "step":
      return applyMoveStep(tx, row, plan.index, now);
    case "pause":
      return changeMoveState(tx, row, { state: "paused", reason: plan.reason }, plan.reason, now);
    case "roll-back":
      return changeMoveState(tx, row, { state: "rolling-back", reason: plan.reason }, plan.reason, now);
    case "restore-source": {
      if (row.share === keptShare && clusterId === row.before.clusterId) return;
      await placeExposure(tx, { ...row, now }, row.exposureId, placeAt(row, keptShare));
      const message = `${fromClusterName} doesn't serve yet, so ${toClusterName} serves until it does.`;
      return changeMoveState(tx, row, { state: "rolling-back", reason: row.reason, share: keptShare }, message, now);
    }
    case "end": {
      const { state } = plan;
      const reason = plan.reason || row.reason;
      if (state === "rolled-back") await placeExposure(tx, { ...row, now }, row.exposureId, row.before);
      // One that is cancelled while its source is missing leaves the shares as they are.
      const share = state === "done" ? 100 : state === "cancelled" && row.state === "rolling-back" ? row.share : 0;
      const message = {
        done: `${exposureName} is in ${toClusterName} now, with its address. ${fromClusterName} drains.`,
        "rolled-back": `${exposureName} is in ${fromClusterName} again. ${reason}`.trim(),
        cancelled: `The move to ${toClusterName} was cancelled. ${reason}`.trim(),
      }[state];
      return changeMoveState(tx, row, { state, reason, share }, message, now);
    }
    default:
      return plan satisfies never;
  }
}
