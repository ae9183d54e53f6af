import { amount, type CapacityFigure } from "../offers/capacity-figure.ts";
import type { Demand, Offer } from "../offers/offer.ts";
import { providers } from "../prices/providers.ts";
import type { Advice, CostOption, Recommendation } from "./estimate.ts";
import { listed, mostReasons } from "./explain.ts";
import { basisWords, demandedOf, unitsOf } from "./fit.ts";
import type { Grade } from "./grade.ts";
import { byPrice, type Weighed } from "./rank.ts";

const scaledWords = "Scaled by cores from a measurement on another machine: test it first.";

/**
 * The rules of the advice:
 *  1. An option is recommended only if it fits: it supports the protocol and meets all constraints.
 *  2. The cheapest proven option and the cheapest likely one are recommended side by side. Unknown ones never are.
 *  3. Bills that cover the same items are compared: an incomplete bill ranks after all complete ones.
 *  4. A tie is named, also one of regions. The first of equals is not Fairlead, then the one at layer 4, which does less per packet.
 *  5. Cheaper options that are not proven are counted, and doubts about prices are noted.
 * Without traffic there is no advice.
 */
export function advise(weighed: readonly Weighed[], demand: Demand): Advice {
  if (demandedOf(demand, 7).length === 0) return { proven: null, likely: null };
  const fitting = weighed.filter(({ option }) => option.fits).sort(byPrice);
  return { proven: recommend("proven", fitting, demand), likely: recommend("likely", fitting, demand) };
}

function recommend(grade: "proven" | "likely", fitting: readonly Weighed[], demand: Demand): Recommendation | null {
  const graded = fitting.filter(({ option }) => option.grade === grade);
  const [best] = graded;
  if (!best) return null;
  const { option, offer } = best;
  const ties = tiesWith(best, graded);
  const reasons = [
    rankOf(grade, best, ties, graded),
    ...capacityOf(option),
    ...evidenceOf(option),
    ...option.missing.map(({ item }) => `${item} is not included: it has no known price.`),
    ...lessCertain(grade, best, fitting),
    ...option.reasons.filter((reason) => /^The prices? of /.test(reason)),
    layerOf(offer, demand),
  ];
  return {
    offerId: option.offerId,
    region: option.region,
    reasons: reasons.slice(0, mostReasons),
    tiedWith: ties.map((tie) => ({ offerId: tie.option.offerId, region: tie.option.region })),
  };
}

/** tiesWith returns the other options at the same cost, of other offers and in other regions. */
function tiesWith(best: Weighed, graded: readonly Weighed[]): Weighed[] {
  const { monthlyMicros, missing } = best.option;
  return graded.filter(
    (each) =>
      each !== best &&
      each.option.monthlyMicros === monthlyMicros &&
      (each.option.missing.length === 0) === (missing.length === 0),
  );
}

function rankOf(grade: Grade, best: Weighed, ties: readonly Weighed[], graded: readonly Weighed[]): string {
  const elsewhere = ties.filter(({ option }) => option.offerId === best.option.offerId).length;
  const inOthers = elsewhere > 0 ? `, and in ${elsewhere} other ${elsewhere === 1 ? "region" : "regions"}` : "";
  const others = otherOffers(best, ties);
  if (others.length > 0) return `Costs the same as ${listed(others.map((tie) => nameNextTo(best, tie)))}${inOthers}.`;
  const inRegions = elsewhere > 0 ? `, in ${elsewhere + 1} regions at the same cost` : "";
  const offers = new Set(graded.map(({ option }) => option.offerId));
  const next = graded.find(({ option }) => option.offerId !== best.option.offerId);
  return next
    ? `The cheapest of ${offers.size} ${grade} options${inRegions}, before ${nameOf(next)}.`
    : `The only ${grade} option${inRegions}.`;
}

/** otherOffers returns the tied offers, each once: in the region of the best one, if it is tied there. */
function otherOffers({ option: { offerId, region } }: Weighed, ties: readonly Weighed[]): Weighed[] {
  const perOffer = Map.groupBy(ties, ({ option }) => option.offerId);
  perOffer.delete(offerId);
  return [...perOffer.values()].flatMap((own) => own.find(({ option }) => option.region === region) ?? own[0] ?? []);
}

/** capacityOf names the limit that is closest to the demand. */
function capacityOf({ capacity }: CostOption): string[] {
  const known = capacity.filter(({ basis }) => basis !== "assumed").sort((a, b) => usedOf(b) - usedOf(a));
  const [tightest] = known;
  if (!tightest) return [];
  const { of, required, limit, basis } = tightest;
  if (of === "latency") return [`Adds ${amount(limit)} ms (${basisWords[basis]}); ${amount(required)} are allowed.`];
  return [`Carries ${amount(limit)} ${unitsOf[of]} (${basisWords[basis]}); the peak needs ${amount(required)}.`];
}

function usedOf({ of, required, limit }: CapacityFigure): number {
  return of === "latency" ? limit / required : required / limit;
}

function evidenceOf({ grade, capacity, reasons }: CostOption): string[] {
  if (grade === "likely")
    return ["Documented to scale with traffic.", ...reasons.filter((reason) => reason.startsWith("No published"))];
  return capacity.some(({ basis }) => basis === "scaled") ? [scaledWords] : [];
}

/** lessCertain counts cheaper options that are less certain, so that a higher price is explained. */
function lessCertain(grade: Grade, { option }: Weighed, fitting: readonly Weighed[]): string[] {
  const cheaper = fitting.filter(
    ({ option: { missing, monthlyMicros, grade: other } }) =>
      missing.length === 0 && monthlyMicros < option.monthlyMicros && isLess(other, grade),
  );
  const offers = [...new Map(cheaper.map((each) => [each.option.offerId, each])).values()];
  if (offers.length === 0) return [];
  const words = grade === "proven" ? "likely or unknown" : "unknown";
  return [`${offers.length} cheaper ${offers.length === 1 ? "option is" : "options are"} only ${words}.`];
}

function isLess(other: Grade | null, grade: Grade): boolean {
  return other === "unknown" || (grade === "proven" && other === "likely");
}

/** nameNextTo leaves out the place if it is the same. */
function nameNextTo(best: Weighed, other: Weighed): string {
  const isSame = other.offer.provider === best.offer.provider && other.option.region === best.option.region;
  return isSame ? other.option.product : nameOf(other);
}

function nameOf({ option, offer }: Weighed): string {
  return `${option.product} (${providers[offer.provider].title}, ${option.region})`;
}

function layerOf({ layer }: Offer, { profile: { tls, rulesPerRequest } }: Demand): string {
  if (layer === 4 && tls === "terminate") return "Works at layer 4, and also terminates TLS.";
  if (layer === 4) return "Works at layer 4: it forwards packets without terminating connections.";
  if (rulesPerRequest > 0) return "Works at layer 7, because rules evaluate requests.";
  if (tls === "terminate") return "Works at layer 7, where TLS can be terminated.";
  return "Works at layer 7: it terminates each connection, which layer 4 would not need.";
}
