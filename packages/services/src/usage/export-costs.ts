import { type BalancerCosts, type ExportCosts, monthOf, requestedHours, stepCosts } from "@fairlead/domain/cost";
import { authorize, type ServiceContext } from "../context.ts";
import { bookOwner } from "../cost/open-context.ts";
import { bookOf } from "../cost/read-price-list.ts";
import { checkMuch } from "./check-much.ts";
import { pricesWith } from "./prices-at.ts";
import { readUsage } from "./read-usage.ts";
import { selectSubjects } from "./subjects.sql.ts";

export type CostPages = AsyncGenerator<BalancerCosts, void>;

/**
 * exportCosts returns what each load balancer cost in each step, one load balancer at a time, so that memory stays bounded.
 * The sums are those of listCosts. List prices use the currency rates of the price book, as nothing could be compared without.
 */
export async function* exportCosts(ctx: ServiceContext, input: ExportCosts): CostPages {
  authorize(ctx, "exposure:read");
  authorize(ctx, "series:read");
  const { db, organizationId, now } = ctx;
  const { step, currency } = input;
  const hours = requestedHours(input, now);
  // Tiers are per month, so earlier usage in the month counts as well.
  const read = { from: monthOf(hours.from).from, to: hours.to };
  const subjects = await selectSubjects(db, organizationId, input, hours);
  checkMuch(subjects, read);
  const { id, name } = await db.organization.findUniqueOrThrow({ where: { id: organizationId } });
  const book = await bookOf(db, bookOwner({ caller: ctx }));
  const pricesAt = await pricesWith(db, book, read, currency, now);
  const listPrices =
    book.prices.length > 0 ? { listPricesAt: await pricesWith(db, { ...book, prices: [] }, read, currency, now) } : {};
  for await (const { subject, billing, used, ...together } of readUsage(db, subjects, read)) {
    const { clusterId, exposureId, loadBalancerId, facts } = subject;
    const costs = stepCosts(billing, used, { pricesAt, ...listPrices, ...together, hours, step });
    yield { organization: { id, name }, clusterId, exposureId, loadBalancerId, facts, billing, currency, ...costs };
  }
}
