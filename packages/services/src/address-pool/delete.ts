import { inTransaction } from "@fairlead/db";
import { conflict } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../context.ts";
import { lockRow } from "../control/lock-row.sql.ts";
import { markRouting } from "../control/mark-routing.sql.ts";
import { recordChange } from "../control/record-change.ts";
import { loadAddressPool } from "./get.ts";
import { selectRequesting } from "./select-requesting.sql.ts";

/** deleteAddressPool deletes a pool that no exposure holds or requests an address from. */
export async function deleteAddressPool(ctx: ServiceContext, id: string): Promise<void> {
  authorize(ctx, "address-pool:write");
  await inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, "address_pool", ctx.organizationId, id);
    const before = await loadAddressPool(tx, ctx.organizationId, id);
    if (before.allocated > 0)
      throw conflict(
        `The pool ${before.name} has ${before.allocated} of its addresses in use. Delete the exposures that hold them, or move them to another pool, first.`,
      );
    const requesting = await selectRequesting(tx, id);
    if (requesting.length > 0)
      throw conflict(
        `${describeNames(requesting)} addresses from the pool ${before.name}. Delete what no longer needs it, or choose another pool there, first.`,
      );
    await tx.addressPool.delete({ where: { id } });
    await markRouting(tx, before.clusterId);
    await recordChange(tx, ctx, {
      action: "address-pool.delete",
      subjectKind: "address-pool",
      subjectId: id,
      subjectName: before.name,
      clusterId: before.clusterId,
      before,
      after: null,
    });
  });
}

function describeNames([first = "", ...others]: string[]): string {
  if (others.length === 0) return `The exposure ${first} takes`;
  return `The exposure ${first} and ${others.length} more take`;
}
