import type { ServiceContext } from "../../context.ts";
import { deleteEntry } from "../entries.ts";
import { currencyRateKind } from "./rows.ts";

/**
 * deleteCurrencyRate deletes a rate: what was converted with it then has no price in the other currency, or that of an
 * older rate.
 */
export function deleteCurrencyRate(ctx: ServiceContext, id: string): Promise<void> {
  return deleteEntry(ctx, currencyRateKind, id, (tx) => tx.currencyRate.delete({ where: { id } }));
}
