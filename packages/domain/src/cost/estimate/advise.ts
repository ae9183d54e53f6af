import { amount } from "../offers/capacity-figure.ts";
import type { Demand, Offer } from "../offers/offer.ts";
import { providers } from "../prices/providers.ts";
import type { CostOption, Estimate } from "./estimate.ts";
import { askedOf, basisWords, isEnough, unitsOf } from "./fit.ts";

const mostNamed = 3;
const scaledWords =
  "Not measured on this machine: calculated from another machine's figures by the cores of both. Test it before you rely on it.";

/** Weighed is an option with the offer it is of. */
export type Weighed = { option: CostOption; offer: Offer };

/**
 * The rules of the advice:
 *  1. An option is advised only if it fits: it carries the protocol, and has all that the constraints name.
 *  2. Of all that the profile asks for, its capacity is known, and is enough at the peak; so is the time it adds, if that
 *     is asked for. Known is what was measured or published; what was measured on another machine, and is reckoned by
 *     cores, counts and is said to be so. An assumption is shown, and never advised on.
 *  3. Of those, the cheapest; of equals, the one at layer 4, which does less for a packet, unless requests have to be read.
 *  4. What would be cheaper, and why it isn't advised, is said.
 *  5. Prices that are old or have no day are said to be.
 * With none left, or no traffic to carry, there is no advice, rather than a guess.
 */
export function advise(weighed: readonly Weighed[], demand: Demand): Estimate["advice"] {
  if (askedOf(demand, 7).length === 0) return null;
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
      ...option.capacity.map(({ of, asked, most, basis, source }) =>
        of === "latency"
          ? `It adds ${amount(most)} ms, of ${amount(asked)} that it may (${basisWords[basis]}: ${source}).`
          : `It carries ${amount(most)} ${unitsOf[of]}, of ${amount(asked)} asked for (${basisWords[basis]}: ${source}).`,
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
  return askedOf(demand, offer.layer).every((of) =>
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
  if (layer === 4 && tls === "terminate") return "It works at layer 4, and TLS ends there too.";
  if (layer === 4) return "It works at layer 4: it sends packets on and ends no connection, which costs it little.";
  if (rulesPerRequest > 0) return "It works at layer 7, because rules need requests to be read.";
  if (tls === "terminate") return "It works at layer 7, where TLS can end.";
  return "It works at layer 7: it ends each connection and opens another, which layer 4 would not need.";
}
