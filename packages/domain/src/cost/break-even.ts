import type { Candidate } from "./candidates.ts";
import type { Exchange } from "./currency.ts";
import { shapesOf } from "./day.ts";
import type { BreakEven, EstimateAsked } from "./estimate.ts";
import { figuresOf } from "./fit.ts";
import { type Demand, demandOf, MissingPrice } from "./offer.ts";
import { monthOf } from "./price-option.ts";

/** How far below and above its own traffic a profile is looked at. */
const reach = 64;
const mostMbps = 10_000_000;
/** Between two points of the grid no more than this is passed over. */
const step = 4;
const exactness = 1.0001;

type At = { mbps: number; demand: Demand; shape: ReturnType<typeof shapesOf>["typical"] };

/**
 * breakEvens are the traffics at which another option becomes the cheapest, while all else of the profile rises and
 * falls with it. Only options that can carry so much count.
 */
export function breakEvens(candidates: readonly Candidate[], asked: EstimateAsked, exchange: Exchange): BreakEven[] {
  const at = (mbps: number) => pointAt(asked, mbps);
  const cost = (candidate: Candidate, point: At) => costAt(candidate, point, asked, exchange);
  const cheapest = (point: At) => cheapestOf(candidates, (candidate) => cost(candidate, point));
  const crossings: BreakEven[] = [];
  const search = (low: At, below: Candidate | null, high: At, above: Candidate | null): void => {
    if (below === above || !below || !above) return;
    const middle = at(Math.sqrt(low.mbps * high.mbps));
    if (high.mbps / low.mbps < exactness) {
      crossings.push({ averageMbps: middle.mbps, below: nameOf(below), above: nameOf(above) });
      return;
    }
    const best = cheapest(middle);
    search(low, below, middle, best);
    search(middle, best, high, above);
  };
  const points = trafficOf(asked).map(at);
  const best = points.map(cheapest);
  for (let i = 1; i < points.length; i++) {
    const [low, high] = [points[i - 1], points[i]];
    if (low && high) search(low, best[i - 1] ?? null, high, best[i] ?? null);
  }
  return crossings;
}

export type CurvePoint = { averageMbps: number; monthlyMicros: number | null };
export type Curve = { offerId: string; region: string; points: CurvePoint[] };

/** curvesOf are lines to draw: what each candidate costs a month over traffic; null where it can't carry so much. */
export function curvesOf(
  candidates: readonly Candidate[],
  asked: EstimateAsked,
  exchange: Exchange,
  count = 49,
): Curve[] {
  const [low = 1, high = 1] = [trafficOf(asked)[0], trafficOf(asked).at(-1)];
  const points = Array.from({ length: count }, (_, i) => pointAt(asked, low * (high / low) ** (i / (count - 1))));
  return candidates.map((candidate) => ({
    ...nameOf(candidate),
    points: points.map((point) => {
      const micros = costAt(candidate, point, asked, exchange);
      return { averageMbps: point.mbps, monthlyMicros: Number.isFinite(micros) ? Math.round(micros) : null };
    }),
  }));
}

function trafficOf({ profile }: EstimateAsked): number[] {
  const middle = profile.averageMbps || 10;
  const points: number[] = [];
  for (let mbps = middle / reach; mbps <= Math.min(mostMbps, middle * reach); mbps *= step) points.push(mbps);
  return points;
}

function pointAt({ profile }: EstimateAsked, mbps: number): At {
  const demand = demandOf(profile, mbps);
  return { mbps, demand, shape: shapesOf(profile, demand.balancers, mbps).typical };
}

/** costAt is infinite for what can't carry so much or has no price. */
function costAt({ offer, prices }: Candidate, { demand, shape }: At, { profile }: EstimateAsked, exchange: Exchange) {
  try {
    const made = offer.make(demand, prices);
    const isOver = figuresOf(made, demand, offer).some(({ asked, most }) => asked > most);
    const micros = isOver ? Number.NaN : monthOf(made.charges, shape, profile.hoursPerMonth, exchange);
    return Number.isNaN(micros) ? Number.POSITIVE_INFINITY : micros;
  } catch (error) {
    if (error instanceof MissingPrice) return Number.POSITIVE_INFINITY;
    throw error;
  }
}

function cheapestOf(candidates: readonly Candidate[], cost: (candidate: Candidate) => number): Candidate | null {
  let best: Candidate | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const micros = cost(candidate);
    if (micros < least) [best, least] = [candidate, micros];
  }
  return best;
}

function nameOf({ offer, region }: Candidate): { offerId: string; region: string } {
  return { offerId: offer.id, region };
}
