import { type Catalogue, compileCatalogue } from "@fairlead/domain";
import { selectNewestPrices } from "./newest-prices.sql.ts";
import type { OpenContext } from "./open-context.ts";

/** Prices are news once a day, and a catalogue is compiled for longer than an estimate takes. */
const keptMs = 30_000;
const kept = new WeakMap<OpenContext["db"], { at: number; catalogue: Promise<Catalogue> }>();

/** catalogueOf is what everything costs by the newest prices, as it was at most half a minute ago. */
export function catalogueOf({ db, now }: OpenContext): Promise<Catalogue> {
  const before = kept.get(db);
  const at = now.getTime();
  if (before && at - before.at < keptMs && at >= before.at) return before.catalogue;
  const catalogue = selectNewestPrices(db).then((points) => compileCatalogue(points, { now }));
  kept.set(db, { at, catalogue });
  // One that could not be read is read again by whoever asks next.
  catalogue.catch(() => kept.delete(db));
  return catalogue;
}
