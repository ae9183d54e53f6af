import type { Tx } from "@fairlead/db";
import { type Marking, markManyDirty } from "../../control/mark-dirty.sql.ts";
import { selectCarryingNodes, selectPlacedOn, selectServedBeside } from "./placed-exposures.sql.ts";

/**
 * markPlacedOn marks what depends on agents whose state changes: exposures that are placed on them, and the nodes whose
 * configs send connections to servers next to them. Reports mark those nodes too, so their configs may be newer than
 * what the exposure last contributed, and the exposure alone would find no difference.
 */
export async function markPlacedOn(tx: Tx, agentIds: readonly string[], marking: Marking = {}): Promise<void> {
  await markManyDirty(tx, "exposure", await selectPlacedOn(tx, agentIds), marking);
  const nodes = await selectCarryingNodes(tx, await selectServedBeside(tx, agentIds));
  await markManyDirty(tx, "node", nodes, marking);
}
