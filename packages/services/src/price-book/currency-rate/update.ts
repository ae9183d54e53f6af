import type { StoredRate, UpdateCurrencyRate } from "@fairlead/domain/cost";
import type { ServiceContext } from "../../context.ts";
import { updateEntry } from "../entries.ts";
import { currencyRateKind } from "./rows.ts";

/** updateCurrencyRate corrects a rate. A new rate from a later day is a separate entry. */
export function updateCurrencyRate(ctx: ServiceContext, id: string, input: UpdateCurrencyRate): Promise<StoredRate> {
  return updateEntry(ctx, currencyRateKind, id, input, (tx, { rate, asOf, source }) =>
    tx.currencyRate.update({ where: { id }, data: { rate, asOf, source, updatedAt: ctx.now } }),
  );
}
