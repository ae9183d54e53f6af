import { createHash } from "node:crypto";
import { type Db, inTransaction } from "@fairlead/db";
import type { PricePoint } from "@fairlead/domain/cost";
import { recordPrices } from "./record-prices.sql.ts";

/** PriceListed is a named list of prices, such as the one that ships with the program. */
export type PriceListed = { name: string; points: readonly PricePoint[] };

/**
 * importPrices adds a list to the catalogue, once for each version of it, and returns how many prices that changed.
 * Nothing is removed: what an hour of the past cost stays known.
 */
export async function importPrices(db: Db, { name, points }: PriceListed, now: Date): Promise<number> {
  const digest = createHash("sha256").update(JSON.stringify(points)).digest("hex");
  const before = await db.priceList.findUnique({ where: { name } });
  if (before?.digest === digest) return 0;
  return inTransaction(db, async (tx) => {
    const changed = await recordPrices(tx, points, now);
    const taken = { digest, takenAt: now };
    await tx.priceList.upsert({ where: { name }, create: { name, ...taken }, update: taken });
    return changed;
  });
}
