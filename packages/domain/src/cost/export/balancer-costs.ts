import type { BalancerFacts, Billing } from "../meter/billing.ts";
import type { Follows, PricesThen } from "../meter/hour-charges.ts";
import { type Hours, stepOf } from "../meter/hours.ts";
import { type ChargedHour, type HourCost, type MeteredWith, meterCosts } from "../meter/meter-costs.ts";
import type { MeteredHour } from "../meter/metered-load.ts";
import type { Price } from "../prices/catalogue.ts";
import type { ExportStep } from "./export-costs.ts";

/** BalancerCosts is what one load balancer cost, step by step, with what identifies it in a file. */
export type BalancerCosts = {
  organization: { id: string; name: string };
  clusterId: string;
  exposureId: string;
  loadBalancerId: string;
  facts: BalancerFacts;
  billing: Billing;
  currency: string;
  steps: StepCost[];
  /** What is missing and the fix, and assumptions. */
  notes: string[];
};

export type StepCost = Hours & Pick<HourCost, "micros" | "existsSeconds" | "knownSeconds"> & { charges: StepCharge[] };

/** StepCharge is one charge of a step. listMicros is the same at list prices; equal to micros if there is no list price. */
export type StepCharge = {
  item: string;
  follows: Follows;
  price: Price;
  quantity: number;
  micros: number;
  listMicros: number;
};

export type SteppedWith = Omit<MeteredWith, "from" | "onCharge"> & {
  hours: Hours;
  step: ExportStep;
  /** The list prices, if pricesAt are those of a price book. */
  listPricesAt?: (hour: number) => PricesThen;
};

/** stepCosts splits the costs of a load balancer into steps and charges. Their sums are those of meterCosts. */
export function stepCosts(
  billing: Billing,
  used: readonly MeteredHour[],
  { hours, step, listPricesAt, ...using }: SteppedWith,
): Pick<BalancerCosts, "steps" | "notes"> {
  const steps = new Map<number, StepCost>();
  const stepAt = (hour: number) => stepOf(step, hour) ?? hour;
  const at = (hour: number) => {
    const start = stepAt(hour);
    const found = steps.get(start) ?? emptyStep(start, step, hours);
    steps.set(start, found);
    return found;
  };
  const own = meterCosts(billing, used, {
    ...using,
    from: hours.from,
    onCharge: (charged) => addCharge(at(charged.hour).charges, charged),
  });
  for (const { hour, micros, existsSeconds, knownSeconds } of own.hours) {
    const sum = at(hour);
    sum.micros += micros;
    sum.existsSeconds += existsSeconds;
    sum.knownSeconds += knownSeconds;
  }
  if (listPricesAt) {
    const listed = new Map<string, number>();
    const keyOf = (start: number, item: string) => `${start}\n${item}`;
    const onCharge = ({ hour, line, micros }: ChargedHour) => {
      const key = keyOf(stepAt(hour), line.charge.item);
      listed.set(key, (listed.get(key) ?? 0) + micros);
    };
    meterCosts(billing, used, { ...using, pricesAt: listPricesAt, from: hours.from, onCharge });
    for (const [start, { charges }] of steps)
      for (const charge of charges) charge.listMicros = listed.get(keyOf(start, charge.item)) ?? charge.micros;
  }
  return { steps: [...steps.values()], notes: own.reasons };
}

function emptyStep(start: number, step: ExportStep, hours: Hours): StepCost {
  const end = start + (step === "day" ? 24 : 1);
  const span = { from: Math.max(start, hours.from), to: Math.min(end, hours.to) };
  return { ...span, micros: 0, existsSeconds: 0, knownSeconds: 0, charges: [] };
}

function addCharge(charges: StepCharge[], { line, quantity, micros }: ChargedHour): void {
  const { item, price } = line.charge;
  const found = charges.find((each) => each.item === item);
  if (!found) charges.push({ item, follows: line.follows, price, quantity, micros, listMicros: micros });
  else {
    found.quantity += quantity;
    found.micros += micros;
    found.listMicros += micros;
  }
}
