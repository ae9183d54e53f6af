import { invalid } from "../../errors.ts";
import { demandOf } from "../offers/offer.ts";
import type { Catalogue } from "../prices/catalogue.ts";
import { type Exchange, exchangeTo } from "../prices/currency.ts";
import { datesOf } from "../prices/price-dates.ts";
import { providerNames } from "../prices/providers.ts";
import { anyRegion, isKnownRegion } from "../prices/regions.ts";
import { shapesOf } from "../traffic/day.ts";
import { advise } from "./advise.ts";
import { breakEvens, type Curve, curvesOf } from "./break-even.ts";
import { type Candidate, candidatesOf } from "./candidates.ts";
import type { CostOption, Estimate, EstimateRequest, UnpricedOffer } from "./estimate.ts";
import { weighNoBalancer } from "./no-balancer.ts";
import { priceOption } from "./price-option.ts";
import { byFit, type Weighed } from "./rank.ts";

/** estimateCosts prices every offer for a profile, grades those that fit, and recommends the cheapest proven and likely ones. */
export function estimateCosts(request: EstimateRequest, catalogue: Catalogue): Estimate {
  const exchange = exchangeTo(request.currency, request.rates);
  const { weighed, unpriced, drawn } = weigh(request, catalogue, exchange);
  const demand = demandOf(request.profile);
  const options = weighed.sort(byFit).map(({ option }) => option);
  return {
    noBalancer: weighNoBalancer(demand),
    options: options.filter((option) => isRequested(option, request)),
    unpriced,
    withoutPrices: placesWithoutPrices(options, unpriced),
    priceDates: datesOf(options.flatMap(({ fits, prices }) => (fits ? prices : []))),
    advice: advise(weighed, demand),
    breakEven: breakEvens(drawn, request, exchange),
  };
}

/** drawCosts returns the cost over traffic of all options that fit at some traffic, for a chart next to an estimate. */
export function drawCosts(request: EstimateRequest, catalogue: Catalogue, count?: number): Curve[] {
  const exchange = exchangeTo(request.currency, request.rates);
  return curvesOf(weigh(request, catalogue, exchange).drawn, request, exchange, count);
}

function isRequested({ grade }: CostOption, { grades }: EstimateRequest): boolean {
  return grades.length === 0 || (grade !== null && grades.includes(grade));
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

/** placesWithoutPrices are the regions in which no option of a provider has a price. */
function placesWithoutPrices(options: readonly CostOption[], unpriced: readonly UnpricedOffer[]) {
  const priced = new Set(options.map(placeOf));
  const places = new Map(unpriced.map((each) => [placeOf(each), { provider: each.provider, region: each.region }]));
  return [...places].filter(([key]) => !priced.has(key)).map(([, place]) => place);
}

function placeOf({ provider, region }: Pick<CostOption, "provider" | "region">): string {
  return `${provider}\n${region}`;
}
