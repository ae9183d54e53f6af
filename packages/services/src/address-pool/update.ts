import { inTransaction } from "@fairlead/db";
import { canonicalJson } from "@fairlead/domain";
import type { AddressPool, UpdateAddressPool } from "@fairlead/domain/address-pool";
import { authorize, type ServiceContext } from "../context.ts";
import { lockRow } from "../control/lock-row.sql.ts";
import { recordChange } from "../control/record-change.ts";
import { withoutUndefined } from "../control/without-undefined.ts";
import { loadAddressPool } from "./get.ts";

/** updateAddressPool changes a pool's note. No driver reads it, so nothing is reconciled. */
export async function updateAddressPool(
  ctx: ServiceContext,
  id: string,
  input: UpdateAddressPool,
): Promise<AddressPool> {
  authorize(ctx, "address-pool:write");
  return inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, "address_pool", ctx.organizationId, id);
    const pool = await loadAddressPool(tx, ctx.organizationId, id);
    const before = desired(pool);
    const data = { ...before, ...withoutUndefined(input) };
    if (canonicalJson(data) === canonicalJson(before)) return pool;
    await tx.addressPool.update({ where: { id }, data });
    await recordChange(tx, ctx, {
      action: "address-pool.update",
      subjectKind: "address-pool",
      subjectId: id,
      subjectName: pool.name,
      clusterId: pool.clusterId,
      before,
      after: data,
    });
    return loadAddressPool(tx, ctx.organizationId, id);
  });
}

function desired({ note }: AddressPool) {
  return { note };
}
