import { inTransaction } from "@fairlead/db";
import { type CreateCurrencyRate, newId, type StoredRate } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../../context.ts";
import { loadOne } from "../../control/load-one.ts";
import { recordChange } from "../../control/record-change.ts";
import { onDuplicate } from "../../control/unique.ts";
import { checkRoom } from "../check-room.sql.ts";
import { alreadyRated, changeOf, currencyRateSource, nameOf } from "./rows.ts";

/** createCurrencyRate says what one currency is in another, from a day on until the next one of the pair. */
export async function createCurrencyRate(ctx: ServiceContext, input: CreateCurrencyRate): Promise<StoredRate> {
  authorize(ctx, "price-book:write");
  const { organizationId, now } = ctx;
  return inTransaction(ctx.db, async (tx) => {
    await checkRoom(tx, ctx, "currency_rate");
    const id = newId("currencyRate", now);
    const { from: fromCurrency, to: toCurrency, ...rest } = input;
    await onDuplicate(
      tx.currencyRate.create({
        data: { ...rest, fromCurrency, toCurrency, id, organizationId, createdAt: now, updatedAt: now },
      }),
      ["asOf"],
      alreadyRated(input),
    );
    const after = await loadOne<StoredRate>(tx, "currency rate", currencyRateSource, organizationId, id);
    await recordChange(tx, ctx, {
      action: "currency-rate.create",
      subjectKind: "currency-rate",
      subjectId: id,
      subjectName: nameOf(after),
      clusterId: null,
      before: null,
      after: changeOf(after),
    });
    return after;
  });
}
