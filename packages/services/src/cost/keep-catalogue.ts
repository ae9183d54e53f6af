import type { Db } from "@fairlead/db";
import { type Catalogue, type CurrencyRate, compileCatalogue } from "@fairlead/domain/cost";
import type { ServiceContext } from "../context.ts";
import { selectBookState } from "../price-book/book-state.sql.ts";
import { dayOf, priceMoment } from "./price-moment.ts";
import { checkKnown, type PricesWanted, readPriceList } from "./read-price-list.ts";

/** Prices change at most once a day, and compiling a catalogue takes longer than an estimate. */
const keptMs = 30_000;
const mostKept = 64;

export type PricedCatalogue = { catalogue: Catalogue; rates: readonly CurrencyRate[]; pricesOf: Date };
type Kept = { at: number; priced: Promise<PricedCatalogue> };
/** Separate caches: anonymous clients, who may request any moment, can't evict what members requested. */
const kept = { ofMembers: new WeakMap<Db, Map<string, Kept>>(), ofAnonymous: new WeakMap<Db, Map<string, Kept>>() };

type CatalogueInput = { organizationId: string | null; pricesOf?: string | undefined };

/**
 * keepCatalogue returns the priced catalogue of an organisation, or the public one: by the newest prices, at most half
 * a minute old, or as they were known at a moment. Price book entries are never older than the request.
 */
export async function keepCatalogue(
  { db, now }: Pick<ServiceContext, "db" | "now">,
  { organizationId, pricesOf }: CatalogueInput,
): Promise<PricedCatalogue> {
  const book = organizationId === null ? "" : await selectBookState(db, organizationId);
  const ofAll = organizationId === null ? kept.ofAnonymous : kept.ofMembers;
  const of = ofAll.get(db) ?? new Map<string, Kept>();
  ofAll.set(db, of);
  const knownAt = priceMoment(pricesOf, now);
  // By the moment itself: it may be written in many ways.
  const key = [organizationId ?? "", book, pricesOf === undefined ? "" : knownAt.getTime()].join("\n");
  const before = of.get(key);
  const at = now.getTime();
  if (before && at - before.at < keptMs && at >= before.at) return before.priced;
  const wanted = { organizationId, knownAt, day: dayOf(knownAt) };
  const priced =
    pricesOf === undefined ? compile(db, wanted, now) : checkKnown(db, wanted).then(() => compile(db, wanted, now));
  const [oldest] = of.keys();
  if (oldest !== undefined && of.size >= mostKept) of.delete(oldest);
  of.delete(key);
  of.set(key, { at, priced });
  // A failed read is not cached.
  priced.catch(() => of.delete(key));
  return priced;
}

async function compile(db: ServiceContext["db"], wanted: PricesWanted, now: Date): Promise<PricedCatalogue> {
  const { points, machines, rates } = await readPriceList(db, wanted);
  return { catalogue: compileCatalogue(points, { now, machines }), rates, pricesOf: wanted.knownAt };
}
