import { type Demand, demandOf, MissingPrice } from "../offers/offer.ts";
import type { Exchange } from "../prices/currency.ts";
import { type Shape, shapesOf } from "../traffic/day.ts";
import type { Candidate } from "./candidates.ts";
import type { BreakEven, EstimateRequest } from "./estimate.ts";
import { isOver } from "./fit.ts";
import { monthOf } from "./price-option.ts";

/** How far below and above its own traffic a profile is looked at; what comes and goes within a step is passed over. */
const reach = 64;
const step = 2;
const mostMbps = 10_000_000;
/** When two points are so near, only the two options that are cheapest at either end are looked at between them. */
const near = 1.2;
const exactness = 1.00001;
/** Options that differ by less than this cost the same: the one of lower traffic stays. */
const sameness = 1e-9;

type Point = { mbps: number; demand: Demand; shape: Shape };

/**
 * breakEvens are the traffics at which another option becomes the cheapest, while all else of the profile rises and
 * falls with it. Only options that can carry so much count.
 */
export function breakEvens(candidates: readonly Candidate[], asked: EstimateRequest, exchange: Exchange): BreakEven[] {
  const crossings: BreakEven[] = [];
  const search = (low: Point, below: Candidate, high: Point, among: readonly Candidate[]): Candidate => {
    const above = cheapestOf(among, below, high, asked, exchange);
    if (above === below) return below;
    if (high.mbps / low.mbps < exactness) {
      crossings.push({ averageMbps: high.mbps, below: nameOf(below), above: nameOf(above) });
      return above;
    }
    const between = high.mbps / low.mbps < near && among.length > 2 ? [below, above] : among;
    const middle = pointAt(asked, Math.sqrt(low.mbps * high.mbps));
    return search(middle, search(low, below, middle, between), high, between);
  };
  const [first, ...points] = trafficOf(asked).map((mbps) => pointAt(asked, mbps));
  let [at, best] = [first, candidates[0]];
  if (!at || !best) return [];
  best = cheapestOf(candidates, best, at, asked, exchange);
  for (const point of points) {
    best = search(at, best, point, candidates);
    at = point;
  }
  return crossings;
}

export type CurvePoint = { averageMbps: number; monthlyMicros: number | null };
export type Curve = { offerId: string; region: string; points: CurvePoint[] };

/**
 * curvesOf are lines to draw: what each candidate costs a month over traffic; null where it can't carry so much. What
 * carries none of it has no line.
 */
export function curvesOf(
  candidates: readonly Candidate[],
  asked: EstimateRequest,
  exchange: Exchange,
  count = 49,
): Curve[] {
  const [low = 1, high = 1] = [trafficOf(asked)[0], trafficOf(asked).at(-1)];
  const points = Array.from({ length: count }, (_, i) => pointAt(asked, low * (high / low) ** (i / (count - 1))));
  const curves = candidates.map((candidate) => ({
    ...nameOf(candidate),
    points: points.map((point) => {
      const micros = costAt(candidate, point, asked, exchange);
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

/** costAt is infinite for what can't carry so much or has no price. */
function costAt(
  { offer, prices }: Candidate,
  { demand, shape }: Point,
  { profile }: EstimateRequest,
  exchange: Exchange,
) {
  try {
    const made = offer.make(demand, prices);
    if (isOver(made, demand, offer)) return Number.POSITIVE_INFINITY;
    return monthOf(made.charges, shape, profile.hoursPerMonth, exchange);
  } catch (error) {
    if (error instanceof MissingPrice) return Number.POSITIVE_INFINITY;
    throw error;
  }
}

/** cheapestOf keeps to the one before unless another is really cheaper. */
function cheapestOf(
  candidates: readonly Candidate[],
  before: Candidate,
  point: Point,
  asked: EstimateRequest,
  exchange: Exchange,
): Candidate {
  let best = before;
  let least = costAt(before, point, asked, exchange);
  for (const candidate of candidates) {
    if (candidate === before) continue;
    const micros = costAt(candidate, point, asked, exchange);
    if (micros < least * (1 - sameness)) [best, least] = [candidate, micros];
  }
  return best;
}

function nameOf({ offer, region }: Candidate): { offerId: string; region: string } {
  return { offerId: offer.id, region };
}
