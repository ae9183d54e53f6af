import type { PriceList } from "@fairlead/domain/cost";
import { authorize, type ServiceContext } from "../context.ts";
import type { OpenContext } from "./open-context.ts";
import { dayOf, priceMoment } from "./price-moment.ts";
import { checkKnown, hasNewer, type PricesWanted, readPriceList } from "./read-price-list.ts";

/** PricesRead is everything an estimate is based on, for clients that calculate themselves. */
export type PricesRead = PriceList & {
  /** Their moment: a request for this moment returns the same prices. */
  pricesOf: string;
  /** Whether there are newer ones by now. */
  hasNewer: boolean;
  /** When they were read; their age is calculated from this. */
  at: string;
};

/** listPrices returns the public prices, of today or as known at a moment. */
export function listPrices(ctx: OpenContext, pricesOf?: string): Promise<PricesRead> {
  return read(ctx, null, pricesOf);
}

/** listOwnPrices returns the organisation's prices: its price book overrides the public ones. */
export function listOwnPrices(ctx: ServiceContext, pricesOf?: string): Promise<PricesRead> {
  authorize(ctx, "price-book:read");
  return read(ctx, ctx.organizationId, pricesOf);
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
  return { ...list, pricesOf: knownAt.toISOString(), hasNewer: isOlder, at: now.toISOString() };
}
