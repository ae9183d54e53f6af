import type { PriceList } from "@fairlead/domain/cost";
import { authorize, type ServiceContext } from "../context.ts";
import { bookOwner, type OpenContext } from "./open-context.ts";
import { dayOf, priceMoment } from "./price-moment.ts";
import { checkKnown, hasNewer, type PricesWanted, readPriceList } from "./read-price-list.ts";

/** PricesRead is everything an estimate is based on, for clients that calculate themselves. */
export type PricesRead = PriceList & {
  /** Their moment: a request for this moment returns the same prices. */
  pricesOf: string;
  /** Whether they include the price book of the organisation. */
  hasPriceBook: boolean;
  /** Whether there are newer ones by now. */
  hasNewer: boolean;
  /** When they were read; their age is calculated from this. */
  at: string;
};

/** listPrices returns the public prices, of today or as known at a moment. */
export function listPrices(ctx: OpenContext, pricesOf?: string): Promise<PricesRead> {
  return read(ctx, null, pricesOf);
}

/**
 * listOwnPrices returns the organisation's prices: its price book overrides the public ones. Who may not read the book gets
 * the public ones.
 */
export function listOwnPrices(ctx: ServiceContext, pricesOf?: string): Promise<PricesRead> {
  authorize(ctx, "price:read");
  return read(ctx, bookOwner({ caller: ctx }), pricesOf);
}

async function read(
  { db, now }: Pick<ServiceContext, "db" | "now">,
  organizationId: string | null,
  pricesOf: string | undefined,
): Promise<PricesRead> {
  const knownAt = priceMoment(pricesOf, now);
  const wanted: PricesWanted = { organizationId, knownAt, day: dayOf(knownAt) };
  if (pricesOf !== undefined) await checkKnown(db, wanted);
  const list = await readPriceList(db, wanted);
  const isOlder = pricesOf !== undefined && (await hasNewer(db, wanted, now));
  const hasPriceBook = organizationId !== null;
  return { ...list, pricesOf: knownAt.toISOString(), hasPriceBook, hasNewer: isOlder, at: now.toISOString() };
}
