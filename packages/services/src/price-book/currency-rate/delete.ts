import { inTransaction } from "@fairlead/db";
import type { StoredRate } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../../context.ts";
import { loadOne } from "../../control/load-one.ts";
import { lockRow } from "../../control/lock-row.sql.ts";
import { recordChange } from "../../control/record-change.ts";
import { changeOf, currencyRateSource, nameOf } from "./rows.ts";

/** deleteCurrencyRate forgets a rate: what was converted by it has no price in the other currency any more, or that of an older rate. */
export async function deleteCurrencyRate(ctx: ServiceContext, id: string): Promise<void> {
  authorize(ctx, "price-book:write");
  await inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, "currency_rate", ctx.organizationId, id);
    const before = await loadOne<StoredRate>(tx, "currency rate", currencyRateSource, ctx.organizationId, id);
    await tx.currencyRate.delete({ where: { id } });
    await recordChange(tx, ctx, {
      action: "currency-rate.delete",
      subjectKind: "currency-rate",
      subjectId: id,
      subjectName: nameOf(before),
      clusterId: null,
      before: changeOf(before),
      after: null,
    });
  });
}
