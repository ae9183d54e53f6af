import type { Db } from "@fairlead/db";
import { type Catalogue, type CurrencyRate, compileCatalogue } from "@fairlead/domain/cost";
import type { ServiceContext } from "../context.ts";
import { selectBookState } from "../price-book/book-state.sql.ts";
import { dayOf, priceMoment } from "./price-moment.ts";
import { checkKnown, type PricesWanted, readPriceList } from "./read-price-list.ts";

/** Prices are news once a day, and a catalogue is compiled for longer than an estimate takes. */
const keptMs = 30_000;
const mostKept = 64;

export type PricedCatalogue = { catalogue: Catalogue; rates: readonly CurrencyRate[]; pricesOf: Date };
type Kept = { at: number; priced: Promise<PricedCatalogue> };
/** Strangers, who may ask of any moment, push out nothing that members asked for. */
const kept = { ofMembers: new WeakMap<Db, Map<string, Kept>>(), ofStrangers: new WeakMap<Db, Map<string, Kept>>() };

type Asked = { organizationId: string | null; pricesOf?: string | undefined };

/**
 * keepCatalogue is what everything costs for an organisation, or for anybody: by the newest prices, as they were at
 * most half a minute ago, or as they were known at a moment. What a price book says is never older than the question.
 */
export async function keepCatalogue(
  { db, now }: Pick<ServiceContext, "db" | "now">,
  { organizationId, pricesOf }: Asked,
): Promise<PricedCatalogue> {
  const book = organizationId === null ? "" : await selectBookState(db, organizationId);
  const ofAll = organizationId === null ? kept.ofStrangers : kept.ofMembers;
  const of = ofAll.get(db) ?? new Map<string, Kept>();
  ofAll.set(db, of);
  const knownAt = priceMoment(pricesOf, now);
  // By the moment: it may be written in many ways.
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
  // One that could not be read is read again by whoever asks next.
  priced.catch(() => of.delete(key));
  return priced;
}

async function compile(db: ServiceContext["db"], wanted: PricesWanted, now: Date): Promise<PricedCatalogue> {
  const { points, machines, rates } = await readPriceList(db, wanted);
  return { catalogue: compileCatalogue(points, { now, machines }), rates, pricesOf: wanted.knownAt };
}
