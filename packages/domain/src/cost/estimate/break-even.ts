import { type Demand, demandOf, MissingPrice, pricedLines } from "../offers/offer.ts";
import type { Exchange } from "../prices/currency.ts";
import { type Shape, shapesOf } from "../traffic/day.ts";
import type { Candidate } from "./candidates.ts";
import type { BreakEven, EstimateRequest } from "./estimate.ts";
import { isOver } from "./fit.ts";
import { monthOf } from "./price-option.ts";

/** The range of traffic below and above that of the profile, as a factor. Crossings that cancel out within a step are skipped. */
const reach = 64;
const step = 2;
const mostMbps = 10_000_000;
/** Between points closer than this, only the two options that are cheapest at either end are considered. */
const near = 1.2;
const exactness = 1.00001;
/** Options that differ by less than this cost the same: the one at lower traffic is kept. */
const sameness = 1e-9;

type Point = { mbps: number; demand: Demand; shape: Shape };

/**
 * breakEvens are the amounts of traffic at which another option becomes the cheapest. The rest of the profile scales with the
 * traffic. Only options with enough capacity count.
 */
export function breakEvens(
  candidates: readonly Candidate[],
  request: EstimateRequest,
  exchange: Exchange,
): BreakEven[] {
  const crossings: BreakEven[] = [];
  const search = (low: Point, below: Candidate, high: Point, among: readonly Candidate[]): Candidate => {
    const above = cheapestOf(among, below, high, request, exchange);
    if (above === below) return below;
    if (high.mbps / low.mbps < exactness) {
      crossings.push({ averageMbps: high.mbps, below: nameOf(below), above: nameOf(above) });
      return above;
    }
    const between = high.mbps / low.mbps < near && among.length > 2 ? [below, above] : among;
    const middle = pointAt(request, Math.sqrt(low.mbps * high.mbps));
    return search(middle, search(low, below, middle, between), high, between);
  };
  const [first, ...points] = trafficOf(request).map((mbps) => pointAt(request, mbps));
  let [at, best] = [first, candidates[0]];
  if (!at || !best) return [];
  best = cheapestOf(candidates, best, at, request, exchange);
  for (const point of points) {
    best = search(at, best, point, candidates);
    at = point;
  }
  return crossings;
}

export type CurvePoint = { averageMbps: number; monthlyMicros: number | null };
export type Curve = { offerId: string; region: string; points: CurvePoint[] };

/**
 * curvesOf returns the monthly cost of each candidate over traffic, for a chart; null beyond its capacity. Candidates that
 * carry none of the traffic are left out.
 */
export function curvesOf(
  candidates: readonly Candidate[],
  request: EstimateRequest,
  exchange: Exchange,
  count = 49,
): Curve[] {
  const [low = 1, high = 1] = [trafficOf(request)[0], trafficOf(request).at(-1)];
  const points = Array.from({ length: count }, (_, i) => pointAt(request, low * (high / low) ** (i / (count - 1))));
  const curves = candidates.map((candidate) => ({
    ...nameOf(candidate),
    points: points.map((point) => {
      const micros = costAt(candidate, point, request, exchange);
      return { averageMbps: point.mbps, monthlyMicros: Number.isFinite(micros) ? Math.round(micros) : null };
    }),
  }));
  return curves.filter((curve) => curve.points.some(({ monthlyMicros }) => monthlyMicros !== null));
}

function trafficOf({ profile }: EstimateRequest): number[] {
  const middle = profile.averageMbps || 10;
  const points: number[] = [];
  for (let mbps = middle / reach; mbps <= Math.min(mostMbps, middle * reach); mbps *= step) points.push(mbps);
  return points;
}

function pointAt({ profile }: EstimateRequest, mbps: number): Point {
  const demand = demandOf(profile, mbps);
  return { mbps, demand, shape: shapesOf(profile, demand.balancers, mbps).typical };
}

/** costAt is infinite if the candidate has too little capacity, or a line of its bill has no price. */
function costAt(
  { offer, prices }: Candidate,
  { demand, shape }: Point,
  { profile }: EstimateRequest,
  exchange: Exchange,
) {
  try {
    const made = offer.make(demand, prices);
    if (isOver(made, demand, offer)) return Number.POSITIVE_INFINITY;
    return monthOf(pricedLines(made.lines), shape, profile.hoursPerMonth, exchange);
  } catch (error) {
    if (error instanceof MissingPrice) return Number.POSITIVE_INFINITY;
    throw error;
  }
}

/** cheapestOf keeps the previous candidate unless another one is really cheaper. */
function cheapestOf(
  candidates: readonly Candidate[],
  before: Candidate,
  point: Point,
  request: EstimateRequest,
  exchange: Exchange,
): Candidate {
  let best = before;
  let least = costAt(before, point, request, exchange);
  for (const candidate of candidates) {
    if (candidate === before) continue;
    const micros = costAt(candidate, point, request, exchange);
    if (micros < least * (1 - sameness)) [best, least] = [candidate, micros];
  }
  return best;
}

function nameOf({ offer, region }: Candidate): { offerId: string; region: string } {
  return { offerId: offer.id, region };
}
