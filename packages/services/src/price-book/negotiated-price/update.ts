import { inTransaction } from "@fairlead/db";
import { canonicalJson, type NegotiatedPrice, type UpdateNegotiatedPrice } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../../context.ts";
import { loadOne } from "../../control/load-one.ts";
import { lockRow } from "../../control/lock-row.sql.ts";
import { recordChange } from "../../control/record-change.ts";
import { onDuplicate } from "../../control/unique.ts";
import { withoutUndefined } from "../../control/without-undefined.ts";
import { alreadyAgreed, changeOf, columnsOf, negotiatedPriceSource } from "./rows.ts";

/** updateNegotiatedPrice corrects what was agreed. Of what it is a price stays: for another thing make another. */
export async function updateNegotiatedPrice(
  ctx: ServiceContext,
  id: string,
  input: UpdateNegotiatedPrice,
): Promise<NegotiatedPrice> {
  authorize(ctx, "price-book:write");
  return inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, "negotiated_price", ctx.organizationId, id);
    const load = () => loadOne<NegotiatedPrice>(tx, "negotiated price", negotiatedPriceSource, ctx.organizationId, id);
    const before = await load();
    const wish = { ...changeOf(before), ...withoutUndefined(input) };
    if (canonicalJson(wish) === canonicalJson(changeOf(before))) return before;
    const { price, validFrom, note } = wish;
    await onDuplicate(
      tx.negotiatedPrice.update({
        where: { id },
        data: { ...columnsOf(price), validFrom, note, updatedAt: ctx.now },
      }),
      ["validFrom"],
      alreadyAgreed(before, validFrom),
    );
    const after = await load();
    await recordChange(tx, ctx, {
      action: "negotiated-price.update",
      subjectKind: "negotiated-price",
      subjectId: id,
      subjectName: before.sku,
      clusterId: null,
      before: changeOf(before),
      after: changeOf(after),
    });
    return after;
  });
}
