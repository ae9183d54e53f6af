import { Prisma, selectOne, type Tx } from "@fairlead/db";
import { notFound } from "@fairlead/domain";
import { mostHeld, type PriceRefresh, type PriceRefreshDetail } from "@fairlead/domain/cost";
import type { ServiceContext } from "../../context.ts";
import { authorizePrices } from "./authorize.ts";
import { refreshSource, toHeldPrice } from "./rows.ts";

export async function getPriceRefresh(ctx: ServiceContext, id: string): Promise<PriceRefreshDetail> {
  await authorizePrices(ctx, "price:read");
  return loadRefreshDetail(ctx.db, id);
}

export async function loadRefresh(tx: Tx, id: string): Promise<PriceRefresh> {
  const found = await selectOne<PriceRefresh>(tx, { ...refreshSource, where: [Prisma.sql`id = ${id}`] });
  if (!found) throw notFound("price refresh", id);
  return found;
}

export async function loadRefreshDetail(tx: Tx, id: string): Promise<PriceRefreshDetail> {
  const refresh = await loadRefresh(tx, id);
  const rows = await tx.heldPrice.findMany({
    where: { refreshId: id },
    // In alphabetical order, "waiting" is the last of the states.
    orderBy: [{ state: "desc" }, { sku: "asc" }, { region: "asc" }, { id: "asc" }],
    take: mostHeld,
  });
  return { ...refresh, held: rows.map(toHeldPrice) };
}
