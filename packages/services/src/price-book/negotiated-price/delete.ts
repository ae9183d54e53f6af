import { inTransaction } from "@fairlead/db";
import type { NegotiatedPrice } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../../context.ts";
import { loadOne } from "../../control/load-one.ts";
import { lockRow } from "../../control/lock-row.sql.ts";
import { recordChange } from "../../control/record-change.ts";
import { changeOf, negotiatedPriceSource } from "./rows.ts";

/** deleteNegotiatedPrice has what is listed count again, or what was agreed before. */
export async function deleteNegotiatedPrice(ctx: ServiceContext, id: string): Promise<void> {
  authorize(ctx, "price-book:write");
  await inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, "negotiated_price", ctx.organizationId, id);
    const before = await loadOne<NegotiatedPrice>(
      tx,
      "negotiated price",
      negotiatedPriceSource,
      ctx.organizationId,
      id,
    );
    await tx.negotiatedPrice.delete({ where: { id } });
    await recordChange(tx, ctx, {
      action: "negotiated-price.delete",
      subjectKind: "negotiated-price",
      subjectId: id,
      subjectName: before.sku,
      clusterId: null,
      before: changeOf(before),
      after: null,
    });
  });
}
