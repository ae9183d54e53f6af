import { invalid } from "../../errors.ts";
import { demandOf } from "../offers/offer.ts";
import type { Catalogue } from "../prices/catalogue.ts";
import { type Exchange, exchangeTo } from "../prices/currency.ts";
import { providerNames } from "../prices/providers.ts";
import { anyRegion, isKnownRegion } from "../prices/regions.ts";
import { shapesOf } from "../traffic/day.ts";
import { advise, type Weighed } from "./advise.ts";
import { breakEvens, type Curve, curvesOf } from "./break-even.ts";
import { type Candidate, candidatesOf } from "./candidates.ts";
import type { CostOption, Estimate, EstimateRequest, UnpricedOffer } from "./estimate.ts";
import { priceOption } from "./price-option.ts";

/** estimateCosts prices every offer for a profile, checks which fit, and advises one with known capacity. */
export function estimateCosts(request: EstimateRequest, catalogue: Catalogue): Estimate {
  const exchange = exchangeTo(request.currency, request.rates);
  const { weighed, unpriced, drawn } = weigh(request, catalogue, exchange);
  const demand = demandOf(request.profile);
  return {
    options: weighed.map(({ option }) => option).sort(fitFirst),
    unpriced,
    advice: advise(weighed, demand),
    breakEven: breakEvens(drawn, request, exchange),
  };
}

/** drawCosts returns the cost over traffic of all options that fit at some traffic, for a chart next to an estimate. */
export function drawCosts(request: EstimateRequest, catalogue: Catalogue, count?: number): Curve[] {
  const exchange = exchangeTo(request.currency, request.rates);
  return curvesOf(weigh(request, catalogue, exchange).drawn, request, exchange, count);
}

function weigh(request: EstimateRequest, catalogue: Catalogue, exchange: Exchange) {
  checkRegions(request, catalogue);
  const demand = demandOf(request.profile);
  const shapes = shapesOf(request.profile, demand.balancers);
  const weighed: Weighed[] = [];
  const unpriced: UnpricedOffer[] = [];
  // Options without enough capacity may be the cheapest at less traffic, so charts include them.
  const drawn: Candidate[] = [];
  for (const candidate of candidatesOf(request, catalogue)) {
    const { offer, region } = candidate;
    const priced = priceOption(candidate, request, demand, shapes, exchange);
    if ("reason" in priced) {
      const { id: offerId, provider, product } = offer;
      unpriced.push({ offerId, provider, product, region, reason: priced.reason });
      continue;
    }
    weighed.push({ option: priced.option, offer });
    if (priced.fitsSomeTraffic) drawn.push(candidate);
  }
  return { weighed, unpriced, drawn };
}

/** checkRegions rejects a region that none of the requested providers has. */
function checkRegions({ regions, providers: some }: EstimateRequest, catalogue: Catalogue): void {
  const from = some.length > 0 ? some : providerNames;
  for (const [index, region] of regions.entries()) {
    if (region === anyRegion || from.some((each) => isKnownRegion(each, region, catalogue.namesOf(each)))) continue;
    const known = [...new Set(from.flatMap((each) => catalogue.namesOf(each)))].sort();
    throw invalid(["regions", index], `There is no region ${region} with prices. Known regions: ${known.join(", ")}.`);
  }
}

function fitFirst(a: CostOption, b: CostOption): number {
  return (
    Number(b.fits) - Number(a.fits) ||
    a.monthlyMicros - b.monthlyMicros ||
    a.offerId.localeCompare(b.offerId) ||
    a.region.localeCompare(b.region)
  );
}
