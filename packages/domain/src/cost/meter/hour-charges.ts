import { addresses, addressesItem, betweenZones, egress, paidByHourOrMonth } from "../offers/charges.ts";
import { demandOf, type Line, MissingPrice, Prices, pricedLines } from "../offers/offer.ts";
import { ownEgress, placeOf } from "../offers/self-hosted.ts";
import type { Catalogue } from "../prices/catalogue.ts";
import type { Exchange } from "../prices/currency.ts";
import { providers } from "../prices/providers.ts";
import type { Charge } from "../traffic/charge.ts";
import type { Billing, Together } from "./billing.ts";

/** PricesThen are the prices and exchange rates at a time. */
export type PricesThen = { day: string; catalogue: Catalogue; exchange: Exchange; currency: string };

/** What the quantity of a charge depends on: the balancer's existence, its address, its machines, or its traffic. */
export type Follows = "balancer" | "address" | "machine" | "traffic";

export type HourCharge = {
  charge: Charge;
  follows: Follows;
  /** The exchange rate from the currency of the price to that of the result. */
  factor: number;
  /** The number of balancers that the quantity is for; each pays its part. */
  sharedBy: number;
  /** The number of balancers that share the free monthly amount and the other tiers. */
  pooledBy: number;
};

export type HourCharges = { charges: HourCharge[] } | { reason: string };

/** hourChargesOf returns the charges of one balancer in an hour, or why there is no price. */
export function hourChargesOf(
  billing: Extract<Billing, { as: "bought" | "machines" }>,
  then: PricesThen,
  together: Together,
): HourCharges {
  try {
    const charges = billing.as === "bought" ? ofOffer(billing, then, together) : ofMachines(billing, then, together);
    const missing = charges.find(({ charge }) => then.exchange(charge.price.currency) === null);
    if (!missing) return { charges };
    const { currency } = missing.charge.price;
    return { reason: `Its prices are in ${currency}, and there is no rate to ${then.currency}: add one.` };
  } catch (error) {
    if (!(error instanceof MissingPrice)) throw error;
    return {
      reason: `${error.message.slice(0, -1)} at ${providers[providerOf(billing)].title}: correct "Runs as" of the cluster, or add the price to the price book.`,
    };
  }
}

function ofOffer(
  { offer, region, profile, more }: Extract<Billing, { as: "bought" }>,
  then: PricesThen,
  together: Together,
): HourCharge[] {
  const { bundlesRulesBy } = providers[offer.provider];
  const rules = bundlesRulesBy === null ? undefined : together[bundlesRulesBy];
  const demand = demandOf(rules === undefined ? profile : { ...profile, listeners: rules });
  const { lines } = offer.make(demand, new Prices(then.catalogue, offer.provider, region, then.currency));
  return pricedLines(lines).flatMap((charge): HourCharge[] => {
    const own = {
      charge,
      factor: then.exchange(charge.price.currency) ?? Number.NaN,
      sharedBy: 1,
      // Allowances of each balancer aren't shared.
      pooledBy: charge.allowances ? 1 : together.balancers,
    };
    if (typeof charge.quantity === "function") return [{ ...own, follows: "traffic" }];
    if (charge.item === addressesItem) return more.hasPublicAddress ? [{ ...own, follows: "address" }] : [];
    return [{ ...own, follows: "balancer", sharedBy: rules === undefined ? 1 : together.balancers }];
  });
}

function ofMachines(
  { provider, region, machine, profile, more }: Extract<Billing, { as: "machines" }>,
  then: PricesThen,
  together: Together,
): HourCharge[] {
  const prices = new Prices(then.catalogue, provider, region, then.currency);
  const place = placeOf(provider);
  const demand = demandOf(profile);
  const of = (lines: Line[], follows: Follows): HourCharge[] =>
    pricedLines(lines).map((charge) => ({
      charge,
      follows,
      factor: then.exchange(charge.price.currency) ?? Number.NaN,
      sharedBy: 1,
      pooledBy: together.balancers,
    }));
  // If a machine's price includes an address, it counts as the balancer's.
  const { furtherIpv4 } = place ?? {};
  const ipv4 = place?.ipv4 ?? (furtherIpv4 && !furtherIpv4.comesWith(prices.get(machine.sku)) ? furtherIpv4.sku : null);
  return [
    ...of(
      [paidByHourOrMonth(`Machines ${machine.name}`, machine.sku, prices, more.machineShare, "machines")],
      "machine",
    ),
    ...(ipv4 && more.hasPublicAddress ? of([addresses(prices, ipv4, 1)], "address") : []),
    ...of(place?.paysBetweenZones ? betweenZones(demand, prices) : [], "traffic"),
    ...of(provider === "own" ? ownEgress(demand, prices) : egress(demand, prices), "traffic"),
  ];
}

function providerOf(billing: Extract<Billing, { as: "bought" | "machines" }>) {
  return billing.as === "bought" ? billing.offer.provider : billing.provider;
}
