import { type Hours, hourOf, monthOf } from "../cost/meter/hours.ts";
import type { HourCost } from "../cost/meter/meter-costs.ts";
import type { Budget, BudgetState, BudgetStatus } from "./budget.ts";

const hoursOfDay = 24;
const mostReasons = 5;

/** The hour before this one is complete: the meter adds an hour a few minutes after its end, and late samples. */
function settledHour(now: Date): number {
  return hourOf(now) - 1;
}

/** forecastHours are the hours that a status depends on: this month so far, and the day that the forecast is based on. */
export function forecastHours(now: Date): Hours {
  const settled = settledHour(now);
  const current = hourOf(now);
  return { from: Math.min(monthOf(current).from, settled - hoursOfDay), to: current + 1 };
}

/** MonthCosts adds up the costs of a budget's load balancers, hour by hour, in any order. */
export class MonthCosts {
  spentMicros = 0;
  readonly reasons: string[] = [];
  readonly #month: Hours;
  readonly #recent: Hours;
  #settledMicros = 0;
  #recentMicros = 0;
  #existsSeconds = 0;
  #knownSeconds = 0;
  #hasDay = false;

  constructor(now: Date) {
    const settled = settledHour(now);
    this.#month = monthOf(hourOf(now));
    this.#recent = { from: settled - hoursOfDay, to: settled };
  }

  add({ hour, micros, existsSeconds, knownSeconds }: HourCost): void {
    if (existsSeconds > 0 && hour <= this.#recent.from) this.#hasDay = true;
    if (isWithin(this.#recent, hour)) this.#recentMicros += micros;
    if (!isWithin(this.#month, hour)) return;
    this.spentMicros += micros;
    this.#existsSeconds += existsSeconds;
    this.#knownSeconds += knownSeconds;
    if (hour < this.#recent.to) this.#settledMicros += micros;
  }

  /** explain adds what is missing of a load balancer's cost. All of them may lack the same. */
  explain(reasons: readonly string[]): void {
    for (const reason of reasons)
      if (this.reasons.length < mostReasons && !this.reasons.includes(reason)) this.reasons.push(reason);
  }

  get knownShare(): number {
    return this.#existsSeconds > 0 ? Math.min(1, this.#knownSeconds / this.#existsSeconds) : 1;
  }

  /**
   * forecastMicros is what is spent, and the mean of the last 24 complete hours for each hour that is left of the month.
   * null: its first usage is less than a day old.
   */
  get forecastMicros(): number | null {
    if (!this.#hasDay) return null;
    const left = this.#month.to - Math.max(this.#month.from, this.#recent.to);
    const expected = this.#settledMicros + (this.#recentMicros / hoursOfDay) * left;
    return Math.max(this.spentMicros, Math.round(expected));
  }
}

function isWithin({ from, to }: Hours, hour: number): boolean {
  return hour >= from && hour < to;
}

/** statusOf returns the status of a budget with these costs. */
export function statusOf(
  { amountMicros, warnAtPercent }: Pick<Budget, "amountMicros" | "warnAtPercent">,
  costs: Pick<MonthCosts, "spentMicros" | "forecastMicros" | "knownShare" | "reasons">,
): Omit<BudgetStatus, "hasPriceBook"> {
  const { spentMicros, forecastMicros, knownShare, reasons } = costs;
  return {
    state: stateOf(amountMicros, costs),
    hasReachedWarning: spentMicros >= (amountMicros * warnAtPercent) / 100,
    spentMicros,
    knownShare,
    forecastMicros,
    reasons,
  };
}

/** A known part over the amount is enough. Without any known part, a sum of 0 isn't within the amount. */
function stateOf(
  amountMicros: number,
  { spentMicros, forecastMicros, knownShare }: Pick<MonthCosts, "spentMicros" | "forecastMicros" | "knownShare">,
): BudgetState {
  if (spentMicros > amountMicros) return "over";
  if (forecastMicros !== null && forecastMicros > amountMicros) return "forecast-over";
  return spentMicros === 0 && knownShare === 0 ? "unknown" : "within";
}
