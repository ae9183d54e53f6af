import { inTransaction } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import { type PriceRefresh, priceFeeds, type StartPriceRefresh } from "@fairlead/domain/cost";
import type { ServiceContext } from "../../context.ts";
import { recordChange } from "../../control/record-change.ts";
import { authorizePrices } from "./authorize.ts";
import { loadRefresh } from "./get.ts";
import { insertRefresh } from "./insert-refresh.sql.ts";

/** startPriceRefresh requests a feed to be read. If one is open already, that is returned. */
export async function startPriceRefresh(ctx: ServiceContext, { feed }: StartPriceRefresh): Promise<PriceRefresh> {
  await authorizePrices(ctx, "price:write");
  const { now, actor } = ctx;
  return inTransaction(ctx.db, async (tx) => {
    const id = newId("priceRefresh", now);
    const open = await insertRefresh(tx, { id, feed, isScheduled: false, requestedBy: actor.name, now });
    if (open !== id) return loadRefresh(tx, open);
    const made = await loadRefresh(tx, id);
    await recordChange(tx, ctx, {
      action: "price-refresh.start",
      subjectKind: "price-refresh",
      subjectId: id,
      subjectName: priceFeeds[feed].title,
      clusterId: null,
      before: null,
      after: { feed },
    });
    return made;
  });
}
