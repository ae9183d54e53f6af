import { z } from "zod";
import { datesOf, priceDates } from "../prices/price-dates.ts";
import type { Billing } from "./billing.ts";
import { hourChargesOf, type PricesThen } from "./hour-charges.ts";
import { monthOf } from "./hours.ts";
import { type MeteredItem, meterCosts } from "./meter-costs.ts";
import type { MeteredHour } from "./metered-load.ts";

/** What the load balancers of a planned exposure would cost in an hour, before any traffic. */
export const plannedCost = z
  .object({
    currency: z.string(),
    hasPriceBook: z.boolean().describe("Whether the organisation's own prices apply. Otherwise these are list prices."),
    hourlyMicros: z.int().nullable().describe("In millionths of the currency; null if a price is unknown."),
    items: z.array(
      z.object({ item: z.string(), quantity: z.number().describe("How many run in the hour."), micros: z.int() }),
    ),
    priceDates: priceDates.describe("The dates of the prices of the items; null if none has a date."),
    paysForTraffic: z.boolean().describe("Whether traffic costs more on top."),
    perInstance: z
      .boolean()
      .describe(
        "Whether each instance has a load balancer. The sum is for the instances of now, or for one if there are none.",
      ),
    balancerCount: z.int(),
    reason: z.string().describe("Why the price is unknown, or nothing is paid; empty otherwise."),
  })
  .meta({ id: "PlannedCost" });
export type PlannedCost = z.infer<typeof plannedCost>;

/** Planned is how many equal load balancers there will be, and the machines that they share. */
export type Planned = { balancerCount: number; machineCount: number; hour: number };

type Priced = Pick<PlannedCost, "hourlyMicros" | "items" | "priceDates" | "paysForTraffic" | "reason">;

/** An amount beyond this is not exact. */
const tooLarge = "With the rates of the price book its price is too large: correct the rates.";

/** planCost prices an hour without traffic by the rules of the later bill. */
export function planCost(billing: Billing, planned: Planned, then: PricesThen): Priced {
  if (billing.as === "unknown" || billing.as === "nothing")
    return withoutPrices(billing.as === "nothing" ? 0 : null, billing.reason);
  const lines = hourChargesOf(billing, then, billing.more.alone);
  if ("reason" in lines) return withoutPrices(null, lines.reason);
  const { items, prices } = meterCosts(billing, [idleHour(planned)], { pricesAt: () => then });
  const all = items.map((item) => totalOf(item, planned));
  const hourlyMicros = all.reduce((sum, { micros }) => sum + micros, 0);
  if (!Number.isSafeInteger(hourlyMicros)) return withoutPrices(null, tooLarge);
  return {
    hourlyMicros,
    items: all.sort((a, b) => b.micros - a.micros),
    priceDates: datesOf(prices),
    paysForTraffic: lines.charges.some(({ follows }) => follows === "traffic"),
    reason: "",
  };
}

function withoutPrices(hourlyMicros: 0 | null, reason: string): Priced {
  return { hourlyMicros, items: [], priceDates: datesOf([]), paysForTraffic: false, reason };
}

function totalOf({ item, unit, quantity, micros }: MeteredItem, { balancerCount, hour }: Planned) {
  const month = monthOf(hour);
  // The bill counts an hour of a monthly price as a part of the month.
  const each = unit === "month" ? quantity * (month.to - month.from) : quantity;
  return { item, quantity: each * balancerCount, micros: micros * balancerCount };
}

const hourSeconds = 3_600;

function idleHour({ hour, machineCount, balancerCount }: Planned): MeteredHour {
  return {
    hour,
    existsSeconds: hourSeconds,
    addressSeconds: hourSeconds,
    coveredSeconds: hourSeconds,
    machineSeconds: (machineCount * hourSeconds) / balancerCount,
    bytesIn: 0,
    bytesOut: 0,
    bytesBoth: null,
    connectionSeconds: 0,
    connectionsNew: 0,
  };
}
