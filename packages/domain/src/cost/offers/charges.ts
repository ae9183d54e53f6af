import type { Price } from "../prices/catalogue.ts";
import type { Charge } from "../traffic/charge.ts";
import { gibOfGb, type Load } from "../traffic/load.ts";
import { type Demand, type Line, MissingPrice, type Prices } from "./offer.ts";

// Lines of a bill that several providers have in common.

/** paidByTime is billed per hour or per month, regardless of traffic. */
export function paidByTime(item: string, price: Price, count: number, follows = "hours"): Charge {
  return {
    item,
    price,
    paidBy: price.unit === "month" ? "month" : "hour",
    quantity: count,
    follows: () => follows,
  };
}

/** paidByHourOrMonth is billed per hour if that price is known, up to the monthly price. */
export function paidByHourOrMonth(item: string, sku: string, prices: Prices, count: number, follows?: string): Charge {
  const month = prices.get(sku);
  const hour = prices.find(`${sku}-hour`);
  if (!hour || hour.currency !== month.currency) return paidByTime(item, month, count, follows);
  return { ...paidByTime(item, hour, count, follows), monthlyCap: month };
}

/** data is billed per GB, or per GiB if its price is for that. */
export function data(
  item: string,
  price: Price,
  { balancers }: Demand,
  gb: (each: Load) => number,
  follows = "data",
): Charge {
  const unit = (price.unit === "GiB" ? gibOfGb : 1) * balancers;
  return { item, price, paidBy: "volume", quantity: (each) => gb(each) * unit, follows: () => follows };
}

/** Dimension is one dimension of a capacity unit, such as new connections; each is the amount in one unit. */
export type Dimension = { name: string; use: (each: Load) => number; each: number };

/** capacityUnits bills the units of the dimension that needs the most. */
export function capacityUnits(item: string, price: Price, { balancers }: Demand, dimensions: Dimension[]): Charge {
  return {
    item,
    price,
    paidBy: "hour",
    quantity: (load) => {
      let most = 0;
      for (const { use, each } of dimensions) most = Math.max(most, use(load) / each);
      return most * balancers;
    },
    follows: (load) => {
      const [first, ...others] = dimensions;
      const largest = others.reduce(
        (most, other) => (most && other.use(load) / other.each > most.use(load) / most.each ? other : most),
        first,
      );
      return largest?.name ?? "hours";
    },
  };
}

/** egress is traffic to the internet. It is left out if the profile has none. */
export function egress(demand: Demand, prices: Prices, options: { allowances?: number } = {}): Line[] {
  const { internetShare } = demand.profile;
  if (internetShare === 0) return [];
  const item = "Data to the internet";
  return [
    orGap(item, () => ({
      ...data(item, prices.get("egress"), demand, (each) => each.gbOutPerHour * internetShare, "internet data"),
      ...(options.allowances ? { allowances: options.allowances } : {}),
    })),
  ];
}

/** betweenZones is traffic to backends in other zones, billed at both ends. */
export function betweenZones(demand: Demand, prices: Prices): Line[] {
  const { zones } = demand.profile;
  if (zones === 1) return [];
  const elsewhere = (2 * (zones - 1)) / zones;
  const item = "Data between zones";
  return [
    orGap(item, () =>
      data(item, prices.get("between-zones"), demand, (each) => each.gbPerHour * elsewhere, "data between zones"),
    ),
  ];
}

export const addressesItem = "Public IPv4 addresses";

export function addresses(prices: Prices, sku: string, count: number): Line {
  return orGap(addressesItem, () => paidByTime(addressesItem, prices.get(sku), count, "addresses"));
}

/** orGap is for items besides the balancer itself: without their price, its bill is incomplete, but still a minimum. */
function orGap(item: string, charge: () => Charge): Line {
  try {
    return charge();
  } catch (error) {
    if (error instanceof MissingPrice) return { item, missing: error };
    throw error;
  }
}
