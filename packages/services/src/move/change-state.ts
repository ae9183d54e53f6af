import type { Tx } from "@fairlead/db";
import type { EventContent } from "@fairlead/domain/event";
import { isFinal, type MoveState } from "@fairlead/domain/move";
import { recordMoveStep } from "./record-step.ts";
import type { MoveRow } from "./rows.ts";

/** changeMoveState writes the state of a move, and records it. */
export async function changeMoveState(
  tx: Tx,
  row: MoveRow & { organizationId: string },
  { state, reason, share = row.share }: { state: MoveState; reason: string; share?: number },
  message: string,
  now: Date,
): Promise<void> {
  const ended = isFinal(state) ? { endedAt: now } : {};
  await tx.move.update({ where: { id: row.id }, data: { state, reason, share, ...ended } });
  await recordMoveStep(tx, row, { ...contentOf(state, message), state, share }, now);
}

function contentOf(state: MoveState, message: string): EventContent {
  switch (state) {
    case "planned":
    case "watching":
      return { reason: "MoveResumed", message };
    case "paused":
      return { reason: "MovePaused", message };
    case "rolling-back":
      return { reason: "MoveRollsBack", message };
    case "done":
      return { reason: "MoveEnded", severity: "info", message };
    case "rolled-back":
    case "cancelled":
      return { reason: "MoveEnded", severity: "warning", message };
    default:
      return state satisfies never;
  }
}
