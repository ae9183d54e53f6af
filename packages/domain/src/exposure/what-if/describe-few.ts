import { count } from "../../numbers.ts";
import type { SimulatorPlan } from "./to-plan.ts";

/** From so many requests on, a repeated simulation has nearly the same 99th percentile. */
const enough = 10_000;

/** describeFew states that percentiles are rough if few requests were simulated. */
export function describeFew(plans: readonly Pick<SimulatorPlan, "rates" | "for">[]): string[] {
  const simulated = plans.map((plan) => Math.round(plan.rates.reduce((sum, each) => sum + each, 0) * plan.for));
  const fewest = Math.min(...simulated);
  if (simulated.length === 0 || fewest >= enough) return [];
  return [
    `Percentiles are rough, within about ${Math.ceil(spread / Math.sqrt(Math.max(1, fewest)))} % for p99: so few requests were measured that only ${count(fewest)} were simulated.`,
  ];
}

/**
 * Of an exponential distribution, 95 % of the 99th percentiles of n values are within 430 / √n percent of the true one. Requests
 * that wait for each other vary together, which is twice as wide at a usual load.
 */
const spread = 860;
