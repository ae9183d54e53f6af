import type { NegotiatedPrice, UpdateNegotiatedPrice } from "@fairlead/domain/cost";
import type { ServiceContext } from "../../context.ts";
import { updateEntry } from "../entries.ts";
import { columnsOf, negotiatedPriceKind } from "./rows.ts";

/**
 * updateNegotiatedPrice corrects the agreed price. What it applies to stays: for another thing create another entry.
 */
export function updateNegotiatedPrice(
  ctx: ServiceContext,
  id: string,
  input: UpdateNegotiatedPrice,
): Promise<NegotiatedPrice> {
  return updateEntry(ctx, negotiatedPriceKind, id, input, (tx, { price, validFrom, note }) =>
    tx.negotiatedPrice.update({ where: { id }, data: { ...columnsOf(price), validFrom, note, updatedAt: ctx.now } }),
  );
}
