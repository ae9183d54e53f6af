import { addresses, addressesItem, betweenZones, egress, paidByHourOrMonth } from "../offers/charges.ts";
import { demandOf, MissingPrice, Prices } from "../offers/offer.ts";
import { ownEgress, placeOf } from "../offers/self-hosted.ts";
import type { Catalogue } from "../prices/catalogue.ts";
import type { Exchange } from "../prices/currency.ts";
import { providerNames } from "../prices/price-words.ts";
import type { Charge } from "../traffic/charge.ts";
import type { Billing } from "./billing.ts";

/** PricesThen are what things cost at a time, and how other currencies are converted. */
export type PricesThen = { day: string; catalogue: Catalogue; exchange: Exchange; currency: string };

/** What the quantity of a charge follows: the balancer's being there, its address, its machines, or its traffic. */
export type Follows = "balancer" | "address" | "machine" | "traffic";

export type HourCharge = {
  charge: Charge;
  follows: Follows;
  /** One of the currency of the price in that of the answer. */
  factor: number;
  /** What the charge's quantity is for so many balancers; the answer is for one. */
  together: number;
};

export type HourCharges = { charges: HourCharge[] } | { reason: string };

/** hourChargesOf are the lines of what one balancer costs in an hour, or why there is no price. */
export function hourChargesOf(
  billing: Extract<Billing, { as: "bought" | "machines" }>,
  then: PricesThen,
  together: number,
): HourCharges {
  try {
    const charges = billing.as === "bought" ? ofOffer(billing, then, together) : ofMachines(billing, then);
    const missing = charges.find(({ charge }) => then.exchange(charge.price.currency) === null);
    if (!missing) return { charges };
    const { currency } = missing.charge.price;
    return { reason: `Its prices are in ${currency}, and no rate to ${then.currency} is known: give one.` };
  } catch (error) {
    if (!(error instanceof MissingPrice)) throw error;
    return {
      reason: `${error.message.slice(0, -1)} at ${providerNames[providerOf(billing)]}: correct "Runs as" of the cluster, or put the price in the price book.`,
    };
  }
}

/** ofOffer reckons for all balancers that share a bill, because some providers count their rules together. */
function ofOffer(
  { offer, region, profile, more }: Extract<Billing, { as: "bought" }>,
  then: PricesThen,
  together: number,
): HourCharge[] {
  const demand = demandOf({ ...profile, exposedAs: "per-replica", replicas: together });
  const { charges } = offer.make(demand, new Prices(then.catalogue, offer.provider, region, then.currency));
  return charges.flatMap((charge): HourCharge[] => {
    const factor = then.exchange(charge.price.currency) ?? Number.NaN;
    if (typeof charge.quantity === "function") return [{ charge, follows: "traffic", factor, together }];
    if (charge.item !== addressesItem) return [{ charge, follows: "balancer", factor, together }];
    return more.hasPublicAddress ? [{ charge, follows: "address", factor, together }] : [];
  });
}

function ofMachines(
  { provider, region, machine, profile, more }: Extract<Billing, { as: "machines" }>,
  then: PricesThen,
): HourCharge[] {
  const prices = new Prices(then.catalogue, provider, region, then.currency);
  const place = placeOf(provider);
  const demand = demandOf(profile);
  const of = (charge: Charge, follows: Follows): HourCharge => ({
    charge,
    follows,
    factor: then.exchange(charge.price.currency) ?? Number.NaN,
    together: 1,
  });
  return [
    of(paidByHourOrMonth(`Machines ${machine.name}`, machine.sku, prices, more.machineShare, "machines"), "machine"),
    ...(place?.ipv4 && more.hasPublicAddress ? [of(addresses(prices.get(place.ipv4), 1), "address")] : []),
    ...(place?.paysBetweenZones ? betweenZones(demand, prices) : []).map((charge) => of(charge, "traffic")),
    ...(provider === "own" ? ownEgress(demand, prices) : egress(demand, prices)).map((charge) => of(charge, "traffic")),
  ];
}

function providerOf(billing: Extract<Billing, { as: "bought" | "machines" }>) {
  return billing.as === "bought" ? billing.offer.provider : billing.provider;
}
