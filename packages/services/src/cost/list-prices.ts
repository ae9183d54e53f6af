import type { PriceList } from "@fairlead/domain/cost";
import { authorize, type ServiceContext } from "../context.ts";
import type { OpenContext } from "./open-context.ts";
import { dayOf, priceMoment } from "./price-moment.ts";
import { checkKnown, hasNewer, type PricesWanted, readPriceList } from "./read-price-list.ts";

/** PricesRead is all that an estimate rests on, for whoever reckons for themselves. */
export type PricesRead = PriceList & {
  /** The moment they are of: asked for again, they are the same. */
  pricesOf: string;
  /** Whether there are others by now. */
  hasNewer: boolean;
  /** When they were read, which is how old they are reckoned to be. */
  at: string;
};

/** listPrices answers what anybody pays, today or as it was known at a moment. */
export function listPrices(ctx: OpenContext, pricesOf?: string): Promise<PricesRead> {
  return read(ctx, null, pricesOf);
}

/** listOwnPrices answers what the organisation pays: its price book comes before what is listed. */
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
