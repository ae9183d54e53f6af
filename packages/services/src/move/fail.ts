import type { Tx } from "@fairlead/db";
import { isFinal } from "@fairlead/domain/move";
import { changeMoveState } from "./change-state.ts";
import { lockMove } from "./lock.sql.ts";
import { loadMoveRow } from "./rows.ts";

/** failMove pauses a move whose next action is refused, with the reason. The shares stay as they are. */
export async function failMove(tx: Tx, id: string, reason: string, now: Date): Promise<void> {
  const locked = await lockMove(tx, id);
  if (!locked) return;
  const row = { ...(await loadMoveRow(tx, locked.organizationId, id)), ...locked };
  if (isFinal(row.state) || row.state === "paused") return;
  await changeMoveState(tx, row, { state: "paused", reason }, reason, now);
}
