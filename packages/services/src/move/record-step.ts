import type { Tx } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import type { EventContent } from "@fairlead/domain/event";
import type { MoveState } from "@fairlead/domain/move";
import { recordEvent } from "../control/record-event.ts";
import type { MoveRow } from "./rows.ts";

type Moved = Pick<MoveRow, "id" | "exposureId" | "exposureName" | "toClusterId"> & { organizationId: string };

/** recordMoveStep records a change in the history of a move, and among the events of its exposure. */
export async function recordMoveStep(
  tx: Tx,
  { id, organizationId, exposureId, exposureName, toClusterId }: Moved,
  { state, share, ...event }: EventContent & { state: MoveState; share: number },
  now: Date,
): Promise<void> {
  await tx.moveStep.create({
    data: { id: newId("moveStep", now), moveId: id, at: now, share, state, message: event.message },
  });
  await recordEvent(tx, organizationId, {
    ...{ at: now, subjectKind: "exposure", subjectId: exposureId, subjectName: exposureName, clusterId: toClusterId },
    ...event,
  });
}
