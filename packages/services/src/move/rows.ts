import { type Tx, viewSource } from "@fairlead/db";
import { type Move, type MovePlace, move } from "@fairlead/domain/move";
import { loadOne } from "../control/load-one.ts";

export const moveSource = viewSource("move_view", move);

export function loadMove(tx: Tx, organizationId: string, id: string): Promise<Move> {
  return loadOne<Move>(tx, "move", moveSource, organizationId, id);
}

/** MoveRow is a move with what only its decisions need. */
export type MoveRow = Move & { before: MovePlace; servingSince: Date | null };

export async function loadMoveRow(tx: Tx, organizationId: string, id: string): Promise<MoveRow> {
  const shown = await loadMove(tx, organizationId, id);
  const { before, servingSince } = await tx.move.findUniqueOrThrow({
    where: { id },
    select: { before: true, servingSince: true },
  });
  // The column holds what startMove wrote.
  return { ...shown, before: before as MovePlace, servingSince };
}
