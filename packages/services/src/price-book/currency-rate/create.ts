import { newId } from "@fairlead/domain";
import type { CreateCurrencyRate, StoredRate } from "@fairlead/domain/cost";
import type { ServiceContext } from "../../context.ts";
import { createEntry } from "../entries.ts";
import { currencyRateKind } from "./rows.ts";

/** createCurrencyRate sets the rate of one currency in another, from a day on until the next rate of the pair. */
export function createCurrencyRate(ctx: ServiceContext, input: CreateCurrencyRate): Promise<StoredRate> {
  const { organizationId, now } = ctx;
  return createEntry(ctx, currencyRateKind, input, (tx) => {
    const { from: fromCurrency, to: toCurrency, ...rest } = input;
    const own = { id: newId("currencyRate", now), organizationId, createdAt: now, updatedAt: now };
    return tx.currencyRate.create({ data: { ...rest, fromCurrency, toCurrency, ...own } });
  });
}
