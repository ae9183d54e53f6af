import type { Tx } from "@fairlead/db";
import { placeAt } from "@fairlead/domain/move";
import { changeMoveState } from "./change-state.ts";
import { placeExposure } from "./place-exposure.ts";
import { recordMoveStep } from "./record-step.ts";
import type { MoveRow } from "./rows.ts";

/** applyMoveStep gives the target the share of a step, and with the last one the address. */
export async function applyMoveStep(
  tx: Tx,
  row: MoveRow & { organizationId: string },
  index: number,
  now: Date,
): Promise<void> {
  const { id, steps, exposureId, exposureName, toClusterId, toClusterName, fromClusterName } = row;
  const share = steps[index] ?? 100;
  if (share === 100 && (await hasNamesake(tx, toClusterId, exposureName))) {
    const reason = `${toClusterName} has another exposure named ${exposureName}: rename one, then resume.`;
    return changeMoveState(tx, row, { state: "paused", reason }, reason, now);
  }
  await placeExposure(tx, { ...row, now }, exposureId, placeAt(row, share));
  // Later steps are applied only while the target serves, so it is watched from now on.
  const servingSince = index > 0 ? now : null;
  await tx.move.update({
    where: { id },
    data: { state: "watching", reason: "", step: index + 1, share, stepAt: now, servingSince },
  });
  const message =
    share === 100
      ? `${toClusterName} gets all new connections and the address; ${fromClusterName} drains.`
      : `${toClusterName} gets ${share} % of new connections.`;
  await recordMoveStep(tx, row, { reason: "MoveStepped", message, state: "watching", share }, now);
}

async function hasNamesake(tx: Tx, clusterId: string, name: string): Promise<boolean> {
  return (await tx.exposure.count({ where: { clusterId, name } })) > 0;
}
