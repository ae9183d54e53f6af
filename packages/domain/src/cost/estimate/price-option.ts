import { type Demand, type Gap, type Line, MissingPrice } from "../offers/offer.ts";
import type { Exchange } from "../prices/currency.ts";
import { billedHours, type Charge, chargeMonth } from "../traffic/charge.ts";
import type { Shape, Shapes } from "../traffic/day.ts";
import type { Candidate } from "./candidates.ts";
import type { CostItem, CostOption, EstimateRequest } from "./estimate.ts";
import { explainOption, priceDoubts } from "./explain.ts";
import { demandedOf, figuresOf, whyNot } from "./fit.ts";
import { gradeOf } from "./grade.ts";

const cent = 10_000;

/** Priced is an option and whether it would fit with less traffic, or why it has no price. */
export type Priced = { option: CostOption; fitsSomeTraffic: boolean } | { reason: string };

/** priceOption returns the cost of a candidate and whether it fits, with the reasons. */
export function priceOption(
  { offer, region, prices }: Candidate,
  { profile, constraints, currency }: EstimateRequest,
  demand: Demand,
  shapes: Shapes,
  exchange: Exchange,
): Priced {
  try {
    const made = offer.make(demand, prices);
    const { charges, gaps } = splitLines(made.lines);
    const withoutRate = charges.find(({ price }) => exchange(price.currency) === null);
    if (withoutRate) return { reason: whyNoRate(withoutRate.price.currency, currency) };
    const items = charges.map((charge) => itemOf(charge, shapes.typical, profile.hoursPerMonth, exchange));
    const hourlyMicros = sum(items.map(({ item }) => item.hourlyMicros));
    const capacity = figuresOf(made, demand, offer);
    const against = whyNot(offer, profile, constraints, capacity);
    // Added latency is the same at any traffic.
    const ofAnyTraffic = capacity.filter((figure) => figure.of === "latency");
    const unknown = demandedOf(demand, offer.layer).filter((of) => !capacity.some((figure) => figure.of === of));
    const hourOf = (shape: Shape) =>
      sum(charges.map((charge) => itemOf(charge, shape, profile.hoursPerMonth, exchange).item.hourlyMicros));
    const used = [...new Set(charges.map(({ price }) => price))];
    const grade = gradeOf(capacity, offer, demand);
    const option: CostOption = {
      offerId: offer.id,
      provider: offer.provider,
      product: offer.product,
      region,
      hourlyMicros,
      monthlyMicros: sum(items.map(({ monthlyMicros }) => monthlyMicros)),
      currency,
      band: bandOf(hourlyMicros, shapes, hourOf),
      breakdown: items.map(({ item }) => item),
      dominantDimension: dominant(charges, items, shapes),
      missing: gaps.map(({ item, missing }) => ({ item, reason: missing.message })),
      fits: against.length === 0,
      grade: against.length === 0 ? grade : null,
      reasons: explainOption({
        against,
        grade,
        unknown,
        doubts: priceDoubts(used, charges, shapes.typical, profile.hoursPerMonth),
        notes: made.notes,
      }),
      conditions: made.conditions ?? [],
      elastic: offer.elastic ?? null,
      capacity,
      prices: used.map(({ sku, asOf, source, confidence }) => ({ sku, asOf, source, confidence })),
    };
    return isCountable(option, charges, shapes.typical, profile.hoursPerMonth)
      ? { option, fitsSomeTraffic: option.fits || whyNot(offer, profile, constraints, ofAnyTraffic).length === 0 }
      : { reason: "With the given rates its price is too large or too small: correct the rates." };
  } catch (error) {
    if (error instanceof MissingPrice) return { reason: error.message };
    throw error;
  }
}

/** splitLines separates the lines with a price from those without. */
function splitLines(lines: readonly Line[]): { charges: Charge[]; gaps: Gap[] } {
  const charges: Charge[] = [];
  const gaps: Gap[] = [];
  for (const line of lines) "missing" in line ? gaps.push(line) : charges.push(line);
  return { charges, gaps };
}

/** monthOf is the monthly sum of charges, not rounded: for comparisons only. */
export function monthOf(charges: readonly Charge[], shape: Shape, hoursPerMonth: number, exchange: Exchange): number {
  let micros = 0;
  for (const charge of charges)
    micros += chargeMonth(charge, shape, hoursPerMonth).micros * (exchange(charge.price.currency) ?? Number.NaN);
  return micros;
}

type Item = { item: CostItem; monthlyMicros: number };

function itemOf(charge: Charge, shape: Shape, hoursPerMonth: number, exchange: Exchange): Item {
  const { quantity, micros } = chargeMonth(charge, shape, hoursPerMonth);
  const factor = exchange(charge.price.currency) ?? Number.NaN;
  const hours = billedHours(hoursPerMonth);
  return {
    item: {
      item: charge.item,
      quantity: quantity / hours,
      unit: charge.price.unit,
      // The average over all tiers.
      unitPriceMicros: (quantity > 0 ? micros / quantity : (charge.price.tiers[0]?.micros ?? 0)) * factor,
      hourlyMicros: Math.round((micros * factor) / hours),
    },
    monthlyMicros: Math.round(micros * factor),
  };
}

function bandOf(typical: number, shapes: Shapes, hourOf: (shape: Shape) => number): CostOption["band"] {
  const isFlat = shapes.low === shapes.typical;
  return {
    lowMicros: isFlat ? typical : Math.min(typical, hourOf(shapes.low)),
    typicalMicros: typical,
    highMicros: isFlat ? typical : Math.max(typical, hourOf(shapes.high)),
  };
}

/** dominant is what the largest line of the bill depends on, in the busiest part of a typical day. */
function dominant(charges: readonly Charge[], items: readonly Item[], { typical }: Shapes): string | null {
  const most = Math.max(0, ...items.map(({ monthlyMicros }) => monthlyMicros));
  const largest = charges[items.findIndex(({ monthlyMicros }) => monthlyMicros === most)];
  const [first, ...others] = typical;
  if (most === 0 || !largest || !first) return null;
  const busiest = others.reduce((most, block) => (block.load.mbps > most.load.mbps ? block : most), first);
  return largest.follows(busiest.load);
}

/** isCountable is false if an exchange rate makes an amount too large to be exact, or so small that it looks free. */
function isCountable(
  { hourlyMicros, monthlyMicros, band }: CostOption,
  charges: readonly Charge[],
  shape: Shape,
  hours: number,
): boolean {
  if (hourlyMicros === 0) return monthOf(charges, shape, hours, () => 1) < cent;
  return Number.isSafeInteger(monthlyMicros) && Number.isSafeInteger(band.highMicros);
}

function whyNoRate(from: string, to: string): string {
  return `Its prices are in ${from}: add a rate from ${from} to ${to}.`;
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
