import type { ServiceContext } from "../../context.ts";
import { deleteEntry } from "../entries.ts";
import { negotiatedPriceKind } from "./rows.ts";

/** deleteNegotiatedPrice restores the listed price, or an earlier agreed one. */
export function deleteNegotiatedPrice(ctx: ServiceContext, id: string): Promise<void> {
  return deleteEntry(ctx, negotiatedPriceKind, id, (tx) => tx.negotiatedPrice.delete({ where: { id } }));
}
