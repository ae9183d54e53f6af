import { inTransaction } from "@fairlead/db";
import { type CreateNegotiatedPrice, type NegotiatedPrice, newId } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../../context.ts";
import { loadOne } from "../../control/load-one.ts";
import { recordChange } from "../../control/record-change.ts";
import { onDuplicate } from "../../control/unique.ts";
import { checkRoom } from "../check-room.sql.ts";
import { findListedUnit } from "./find-listed.ts";
import { alreadyAgreed, changeOf, columnsOf, negotiatedPriceSource } from "./rows.ts";

/** createNegotiatedPrice has the organisation pay something else than what is listed, from a day on. */
export async function createNegotiatedPrice(
  ctx: ServiceContext,
  input: CreateNegotiatedPrice,
): Promise<NegotiatedPrice> {
  authorize(ctx, "price-book:write");
  const { organizationId, now } = ctx;
  return inTransaction(ctx.db, async (tx) => {
    await checkRoom(tx, ctx, "negotiated_price");
    const unit = await findListedUnit(tx, input);
    const id = newId("negotiatedPrice", now);
    const { price, ...rest } = input;
    await onDuplicate(
      tx.negotiatedPrice.create({
        data: { ...rest, ...columnsOf(price), id, organizationId, unit, createdAt: now, updatedAt: now },
      }),
      ["validFrom"],
      alreadyAgreed(input, input.validFrom),
    );
    const after = await loadOne<NegotiatedPrice>(tx, "negotiated price", negotiatedPriceSource, organizationId, id);
    await recordChange(tx, ctx, {
      action: "negotiated-price.create",
      subjectKind: "negotiated-price",
      subjectId: id,
      subjectName: input.sku,
      clusterId: null,
      before: null,
      after: changeOf(after),
    });
    return after;
  });
}
