import type { ServiceContext } from "../../context.ts";
import { deleteEntry } from "../entries.ts";
import { currencyRateKind } from "./rows.ts";

/** deleteCurrencyRate forgets a rate: what was converted by it has no price in the other currency any more, or that of an older rate. */
export function deleteCurrencyRate(ctx: ServiceContext, id: string): Promise<void> {
  return deleteEntry(ctx, currencyRateKind, id, (tx) => tx.currencyRate.delete({ where: { id } }));
}
