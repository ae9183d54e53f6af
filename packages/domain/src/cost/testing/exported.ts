import { type BalancerCosts, stepCosts } from "../export/balancer-costs.ts";
import type { ExportStep } from "../export/export-costs.ts";
import { type BalancerFacts, billingOf } from "../meter/billing.ts";
import type { Hours } from "../meter/hours.ts";
import type { MeteredWith } from "../meter/meter-costs.ts";
import type { MeteredHour } from "../meter/metered-load.ts";
import { hoursOf, seeded } from "./metered.ts";

type Exported = {
  hours: Hours;
  used?: MeteredHour[];
  step?: ExportStep;
  using?: MeteredWith;
  listPricesAt?: MeteredWith["pricesAt"];
};

/** exportedOf is what an export writes about a load balancer of the organisation Acme. */
export function exportedOf(facts: BalancerFacts, options: Exported): BalancerCosts {
  const { hours, used = hoursOf({}, hours), step = "day", using = seeded, ...listed } = options;
  const billing = billingOf(facts);
  const ids = { clusterId: "clu_1", exposureId: "exp_1", loadBalancerId: "lb_1" };
  const costs = stepCosts(billing, used, { pricesAt: using.pricesAt, ...pick(listed), hours, step });
  return { organization: { id: "org_1", name: "Acme" }, ...ids, facts, billing, currency: "USD", ...costs };
}

function pick({ listPricesAt }: Pick<Exported, "listPricesAt">) {
  return listPricesAt ? { listPricesAt } : {};
}

/** recordsOf reads rows as objects. */
export function recordsOf(columns: readonly string[], rows: readonly string[][]): Record<string, string>[] {
  return rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i] ?? ""])));
}
