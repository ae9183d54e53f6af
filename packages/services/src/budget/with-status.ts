import {
  type Budget,
  type BudgetStatus,
  forecastHours,
  isInScope,
  MonthCosts,
  statusOf,
} from "@fairlead/domain/budget";
import { type Hours, monthOf } from "@fairlead/domain/cost";
import type { ServiceContext } from "../context.ts";
import { bookOwner } from "../cost/open-context.ts";
import { isTooMuch } from "../usage/check-much.ts";
import { type CostContext, costsOf } from "../usage/costs-of.ts";
import { type Subject, selectSubjects } from "../usage/subjects.sql.ts";
import type { BudgetRow } from "./rows.ts";

/**
 * withStatus calculates the status of budgets this month, from the costs that listCosts returns. Costs are calculated once for
 * each currency, however many budgets there are.
 */
export async function withStatus(ctx: CostContext, rows: readonly BudgetRow[]): Promise<Budget[]> {
  if (rows.length === 0) return [];
  const { db, organizationId, now } = ctx;
  const hours = forecastHours(now);
  // Tiers are per month, so earlier usage in the month counts as well.
  const read = { from: monthOf(hours.from).from, to: hours.to };
  const subjects = await selectSubjects(db, organizationId, scopeFilter(rows), read);
  const byCurrency = Map.groupBy(rows, (row) => row.currency);
  if (isTooMuch(subjects, read, byCurrency.size)) return rows.map((row) => ({ ...row, status: null }));
  const costs = new Map(rows.map((row) => [row.id, new MonthCosts(now)]));
  for (const [currency, own] of byCurrency) await addCosts(ctx, { currency, rows: own, subjects, read }, costs);
  const hasPriceBook = bookOwner({ caller: ctx }) !== null;
  return rows.map((row) => {
    const status = statusOf(row, costs.get(row.id) ?? new MonthCosts(now));
    return { ...row, status: isExact(status) ? { ...status, hasPriceBook } : null };
  });
}

/** budgetWithStatus is one budget with its status. */
export async function budgetWithStatus(ctx: ServiceContext, row: BudgetRow): Promise<Budget> {
  const [budget] = await withStatus(ctx, [row]);
  if (!budget) throw new Error("a budget has a status");
  return budget;
}

/** A sum is not exact beyond this, which only an absurd exchange rate reaches. */
function isExact({ spentMicros, forecastMicros }: Pick<BudgetStatus, "spentMicros" | "forecastMicros">): boolean {
  return Number.isSafeInteger(spentMicros) && (forecastMicros === null || Number.isSafeInteger(forecastMicros));
}

/** Only one cluster has to be read, if all budgets are for it. */
function scopeFilter(rows: readonly BudgetRow[]): { clusterId?: string } {
  const [first] = rows;
  if (first?.scope.type !== "cluster") return {};
  const { clusterId } = first.scope;
  return rows.every(({ scope }) => scope.type === "cluster" && scope.clusterId === clusterId) ? { clusterId } : {};
}

type Read = { currency: string; rows: BudgetRow[]; subjects: readonly Subject[]; read: Hours };

async function addCosts(
  ctx: CostContext,
  { currency, rows, subjects, read }: Read,
  costs: ReadonlyMap<string, MonthCosts>,
): Promise<void> {
  const scoped = subjects.filter((subject) => rows.some(({ scope }) => isInScope(scope, subject)));
  if (scoped.length === 0) return;
  for await (const { subject, cost } of costsOf(ctx, scoped, read, read.from, currency)) {
    const sums = rows.flatMap(({ id, scope }) => (isInScope(scope, subject) ? (costs.get(id) ?? []) : []));
    for (const hour of cost.hours) for (const sum of sums) sum.add(hour);
  }
}
