import { type Hours, type MeteredCost, meterCosts } from "@fairlead/domain/cost";
import type { ServiceContext } from "../context.ts";
import { bookOwner } from "../cost/open-context.ts";
import { pricesBetween } from "./prices-at.ts";
import { readUsage } from "./read-usage.ts";
import type { Subject } from "./subjects.sql.ts";

/** CostContext is whose costs are calculated: by the price book, if the actor may read it. */
export type CostContext = Pick<ServiceContext, "db" | "organizationId" | "actor" | "now">;

/** costsOf calculates what load balancers cost from an hour on, one by one, at the prices that the caller may see. */
export async function* costsOf(
  ctx: CostContext,
  subjects: readonly Subject[],
  read: Hours,
  from: number,
  currency: string,
): AsyncGenerator<{ subject: Subject; cost: MeteredCost }> {
  const { db, now } = ctx;
  const pricesAt = await pricesBetween(db, bookOwner({ caller: ctx }), read, currency, now);
  for await (const { subject, billing, used, ...together } of readUsage(db, subjects, read))
    yield { subject, cost: meterCosts(billing, used, { pricesAt, from, ...together }) };
}
