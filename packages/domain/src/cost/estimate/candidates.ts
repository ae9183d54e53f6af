import { offersIn } from "../offers/index.ts";
import { type Offer, Prices } from "../offers/offer.ts";
import type { Catalogue } from "../prices/catalogue.ts";
import { anyRegion, isKnownRegion } from "../prices/regions.ts";
import type { EstimateRequest } from "./estimate.ts";

/** Candidate is an offer in one region, with prices that are looked up once. */
export type Candidate = { offer: Offer; region: string; prices: Prices };

const compiled = new WeakMap<Catalogue, Map<string, Candidate[]>>();

/** candidatesOf returns the offers in the requested regions; in all regions if none is requested. */
export function candidatesOf(
  { regions, providers, currency }: Pick<EstimateRequest, "regions" | "providers" | "currency">,
  catalogue: Catalogue,
): Candidate[] {
  const perCatalogue = compiled.get(catalogue) ?? new Map<string, Candidate[]>();
  compiled.set(catalogue, perCatalogue);
  const key = [currency, ...[...regions].sort()].join("\n");
  let all = perCatalogue.get(key);
  if (!all) {
    if (perCatalogue.size >= mostKept) perCatalogue.clear();
    all = compile(catalogue, regions, currency);
    perCatalogue.set(key, all);
  }
  return providers.length === 0 ? all : all.filter(({ offer }) => providers.includes(offer.provider));
}

const mostKept = 256;

function compile(catalogue: Catalogue, regions: readonly string[], currency: string): Candidate[] {
  const shared = new Map<string, Prices>();
  return offersIn(catalogue).flatMap((offer) =>
    regionsFor(offer, regions, catalogue).map((region) => {
      const key = `${offer.provider}\n${region}`;
      const prices = shared.get(key) ?? new Prices(catalogue, offer.provider, region, currency);
      shared.set(key, prices);
      return { offer, region, prices };
    }),
  );
}

/** regionsFor returns an offer's regions among the requested ones. Own machines can be in any region. */
function regionsFor({ provider }: Offer, requested: readonly string[], catalogue: Catalogue): readonly string[] {
  const known = catalogue.regionsOf(provider);
  if (requested.length === 0) return known;
  const names = [...catalogue.namesOf(provider), anyRegion];
  const own = requested.filter((region) =>
    region === anyRegion ? known.includes(anyRegion) : isKnownRegion(provider, region, names),
  );
  return own.length === 0 && provider === "own" ? known : [...new Set(own)];
}
