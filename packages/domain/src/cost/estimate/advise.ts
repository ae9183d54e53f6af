import { amount } from "../offers/capacity-figure.ts";
import type { Demand, Offer } from "../offers/offer.ts";
import { providers } from "../prices/providers.ts";
import type { CostOption, Estimate } from "./estimate.ts";
import { basisWords, demandedOf, isEnough, unitsOf } from "./fit.ts";

const mostNamed = 3;
const scaledWords =
  "Not measured on this machine: calculated from another machine's figures by the cores of both. Test it before you rely on it.";

/** Weighed is an option with its offer. */
export type Weighed = { option: CostOption; offer: Offer };

/**
 * The rules of the advice:
 *  1. An option is advised only if it fits: it supports the protocol and meets all constraints.
 *  2. Its capacity is known and enough at the peak, for everything in the profile; so is its added latency, if that is
 *     limited. Known means measured or published. Figures scaled by cores from another machine count, with a note.
 *     Assumed figures are shown, but never enough for advice.
 *  3. Among those, the cheapest; among equals, the one at layer 4, which does less per packet, unless requests are read.
 *  4. Cheaper options are named, with the reason why they aren't advised.
 *  5. Old or undated prices are noted.
 * If no option is left, or there is no traffic, there is no advice.
 */
export function advise(weighed: readonly Weighed[], demand: Demand): Estimate["advice"] {
  if (demandedOf(demand, 7).length === 0) return null;
  const proven = weighed.filter((each) => isProven(each, demand)).sort(byPrice);
  const [best, next] = proven;
  if (!best) return null;
  const { option, offer } = best;
  const cheaper = weighed.filter(
    (each) => each.option.fits && each.option.monthlyMicros < option.monthlyMicros && !isProven(each, demand),
  );
  return {
    offerId: option.offerId,
    region: option.region,
    reasons: [
      next
        ? `Of ${proven.length} that fit and are known to carry this, ${nameOf(best)} is the cheapest, before ${nameOf(next)}.`
        : `${nameOf(best)} is the only one that fits and is known to carry this.`,
      ...option.capacity.map(({ of, required, limit, basis, source }) =>
        of === "latency"
          ? `It adds ${amount(limit)} ms; ${amount(required)} are allowed (${basisWords[basis]}: ${source}).`
          : `It carries up to ${amount(limit)} ${unitsOf[of]}; ${amount(required)} are requested (${basisWords[basis]}: ${source}).`,
      ),
      ...(option.capacity.some(({ basis }) => basis === "scaled") ? [scaledWords] : []),
      layerOf(offer, demand),
      ...(cheaper.length > 0 ? [`Cheaper, but not known to carry this: ${listed(cheaper)}.`] : []),
      ...option.reasons.filter((reason) => reason.includes("price of")),
    ],
  };
}

/** isProven is rules 1 and 2. */
function isProven({ option, offer }: Weighed, demand: Demand): boolean {
  if (!option.fits) return false;
  return demandedOf(demand, offer.layer).every((of) =>
    option.capacity.some((figure) => figure.of === of && figure.basis !== "assumed" && isEnough(figure)),
  );
}

/** listed names the cheapest few. */
function listed(weighed: Weighed[]): string {
  const names = weighed.sort(byPrice).map(nameOf);
  const more = names.length - mostNamed;
  return more > 0 ? `${names.slice(0, mostNamed).join(", ")} and ${more} more` : names.join(", ");
}

function nameOf({ option, offer }: Weighed): string {
  return `${option.product} (${providers[offer.provider].title}, ${option.region})`;
}

function byPrice(a: Weighed, b: Weighed): number {
  return (
    a.option.monthlyMicros - b.option.monthlyMicros ||
    a.offer.layer - b.offer.layer ||
    a.option.offerId.localeCompare(b.option.offerId) ||
    a.option.region.localeCompare(b.option.region)
  );
}

function layerOf({ layer }: Offer, { profile: { tls, rulesPerRequest } }: Demand): string {
  if (layer === 4 && tls === "terminate") return "It works at layer 4, and also terminates TLS.";
  if (layer === 4)
    return "It works at layer 4: it forwards packets without terminating connections, which costs little.";
  if (rulesPerRequest > 0) return "It works at layer 7, because rules evaluate requests.";
  if (tls === "terminate") return "It works at layer 7, where TLS can be terminated.";
  return "It works at layer 7: it terminates each connection and opens another, which layer 4 would not need.";
}
