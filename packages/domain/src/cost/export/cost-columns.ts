import { startOfHour } from "../meter/hours.ts";
import type { BalancerCosts, StepCost } from "./balancer-costs.ts";
import { amountText, quantityText } from "./decimal-text.ts";

type Column = [name: string, cell: (costs: BalancerCosts, step: StepCost) => string];

const columns: Column[] = [
  ["from", (_, { from }) => startOfHour(from).toISOString()],
  ["to", (_, { to }) => startOfHour(to).toISOString()],
  ["load_balancer_id", ({ loadBalancerId }) => loadBalancerId],
  ["load_balancer", ({ facts }) => facts.name],
  ["exposure_id", ({ exposureId }) => exposureId],
  ["exposure", ({ facts }) => facts.exposureName],
  ["cluster_id", ({ clusterId }) => clusterId],
  ["cluster", ({ facts }) => facts.clusterName],
  ["currency", ({ currency }) => currency],
  ["cost", (_, { micros, knownSeconds }) => (micros === 0 && knownSeconds === 0 ? "" : amountText(micros))],
  ["known_share", (_, { existsSeconds, knownSeconds }) => quantityText(Math.min(1, knownSeconds / existsSeconds))],
  ["balancer_hours", (_, { existsSeconds }) => quantityText(existsSeconds / 3_600)],
  ["labels", ({ facts }) => JSON.stringify(facts.labels)],
  ["notes", ({ notes }) => notes.join(" ")],
];

export const costColumns = columns.map(([name]) => name);

/** costRows is one row for each step in which the load balancer existed. An unknown cost is empty, never 0. */
export function costRows(costs: BalancerCosts): string[][] {
  return costs.steps.map((step) => columns.map(([, cell]) => cell(costs, step)));
}
