import { inTransaction } from "@fairlead/db";
import { canonicalJson, type StoredRate, type UpdateCurrencyRate } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../../context.ts";
import { loadOne } from "../../control/load-one.ts";
import { lockRow } from "../../control/lock-row.sql.ts";
import { recordChange } from "../../control/record-change.ts";
import { onDuplicate } from "../../control/unique.ts";
import { withoutUndefined } from "../../control/without-undefined.ts";
import { alreadyRated, changeOf, currencyRateSource, nameOf } from "./rows.ts";

/** updateCurrencyRate corrects a rate. A new one of a later day is an entry of its own. */
export async function updateCurrencyRate(
  ctx: ServiceContext,
  id: string,
  input: UpdateCurrencyRate,
): Promise<StoredRate> {
  authorize(ctx, "price-book:write");
  return inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, "currency_rate", ctx.organizationId, id);
    const load = () => loadOne<StoredRate>(tx, "currency rate", currencyRateSource, ctx.organizationId, id);
    const before = await load();
    const wish = { ...changeOf(before), ...withoutUndefined(input) };
    if (canonicalJson(wish) === canonicalJson(changeOf(before))) return before;
    const { rate, asOf, source } = wish;
    await onDuplicate(
      tx.currencyRate.update({ where: { id }, data: { rate, asOf, source, updatedAt: ctx.now } }),
      ["asOf"],
      alreadyRated(wish),
    );
    const after = await load();
    await recordChange(tx, ctx, {
      action: "currency-rate.update",
      subjectKind: "currency-rate",
      subjectId: id,
      subjectName: nameOf(after),
      clusterId: null,
      before: changeOf(before),
      after: changeOf(after),
    });
    return after;
  });
}
