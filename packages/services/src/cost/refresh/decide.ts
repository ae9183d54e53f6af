import { inTransaction, type Tx } from "@fairlead/db";
import { conflict, invalid } from "@fairlead/domain";
import {
  type DecideHeldPrices,
  type PriceFeedName,
  type PricePoint,
  type PriceRefreshDetail,
  priceFeeds,
  priceKey,
} from "@fairlead/domain/cost";
import type { ServiceContext } from "../../context.ts";
import { recordChange } from "../../control/record-change.ts";
import { selectNewestPrices } from "../prices-of.sql.ts";
import { authorizePrices } from "./authorize.ts";
import { loadRefresh, loadRefreshDetail } from "./get.ts";
import { lockRefresh } from "./lock.sql.ts";
import { replacePrices } from "./replace-prices.sql.ts";
import { type HeldRow, pointsOf } from "./rows.ts";

/**
 * acceptHeldPrices applies held prices after a user's review. A thing that is gone keeps its last price, and isn't held
 * again.
 */
export function acceptHeldPrices(ctx: ServiceContext, input: DecideHeldPrices): Promise<PriceRefreshDetail> {
  return decide(ctx, input, "accepted");
}

/** rejectHeldPrices keeps the old prices. The same prices in the feed are not held again. */
export function rejectHeldPrices(ctx: ServiceContext, input: DecideHeldPrices): Promise<PriceRefreshDetail> {
  return decide(ctx, input, "rejected");
}

async function decide(
  ctx: ServiceContext,
  { id, heldIds }: DecideHeldPrices,
  state: "accepted" | "rejected",
): Promise<PriceRefreshDetail> {
  await authorizePrices(ctx, "price:write");
  const { now, actor } = ctx;
  return inTransaction(ctx.db, async (tx) => {
    await lockRefresh(tx, id);
    const refresh = await loadRefresh(tx, id);
    const chosen = await choose(tx, id, heldIds);
    if (state === "accepted") await replacePrices(tx, await datedOf(tx, chosen, now), now);
    await tx.heldPrice.updateMany({
      where: { id: { in: chosen.map((each) => each.id) } },
      data: { state, decidedBy: actor.name, decidedAt: now },
    });
    const left = await tx.heldPrice.count({ where: { refreshId: id, state: "waiting" } });
    if (left === 0) await tx.priceRefresh.update({ where: { id }, data: { state: "applied" } });
    await recordChange(tx, ctx, {
      action: state === "accepted" ? "price-refresh.accept" : "price-refresh.reject",
      subjectKind: "price-refresh",
      subjectId: id,
      subjectName: priceFeeds[refresh.feed as PriceFeedName].title,
      clusterId: null,
      before: summarize(chosen, (each) => pointsOf(each.before)),
      after:
        state === "accepted" ? summarize(chosen, (each) => pointsOf(each.after)) : { rejected: chosen.map(nameOf) },
    });
    return loadRefreshDetail(tx, id);
  });
}

/**
 * choose finds the held prices to decide: the named ones, or all that wait. One that was already decided is an error
 * that names who did.
 */
async function choose(tx: Tx, refreshId: string, heldIds: readonly string[] | undefined): Promise<HeldRow[]> {
  const rows = await tx.heldPrice.findMany({
    where: heldIds ? { refreshId, id: { in: [...heldIds] } } : { refreshId, state: "waiting" },
  });
  if (!heldIds && rows.length === 0) throw conflict("No price of this refresh waits for review.");
  const unknown = heldIds?.find((each) => !rows.some((row) => row.id === each));
  if (unknown !== undefined) throw invalid(["heldIds"], `There is no ${unknown} in this refresh.`);
  const decided = rows.find(({ state }) => state !== "waiting");
  if (decided)
    throw conflict(
      decided.state === "superseded"
        ? `A later refresh has a newer price of ${nameOf(decided)}; decide about that one.`
        : `${decided.decidedBy} has ${decided.state} ${nameOf(decided)} already.`,
      ["heldIds"],
    );
  return rows;
}

/** datedOf gives prices that are older than the known ones the day of the decision, because they apply from then on. */
async function datedOf(tx: Tx, chosen: readonly HeldRow[], now: Date): Promise<PricePoint[]> {
  const keyOf = (point: PricePoint) => `${priceKey(point)} ${point.currency}`;
  const newest = new Map<string, string>();
  for (const point of await selectNewestPrices(tx)) {
    const key = keyOf(point);
    const asOf = point.asOf ?? "";
    if (asOf > (newest.get(key) ?? "")) newest.set(key, asOf);
  }
  const today = now.toISOString().slice(0, 10);
  return chosen.flatMap((row) =>
    pointsOf(row.after).map((point) => {
      const isOlder = (newest.get(keyOf(point)) ?? "") > (point.asOf ?? "");
      return isOlder ? { ...point, asOf: today } : point;
    }),
  );
}

function nameOf({ sku, region }: HeldRow): string {
  return `${sku} in ${region}`;
}

/** summarize is the audit's description of prices, each as it is published. */
function summarize(rows: readonly HeldRow[], read: (row: HeldRow) => readonly PricePoint[]): object {
  return Object.fromEntries(
    rows.map((row) => [
      nameOf(row),
      read(row).map(({ fromUnits, micros, per, currency }) => `${micros / per / 1e6} ${currency} from ${fromUnits}`),
    ]),
  );
}
