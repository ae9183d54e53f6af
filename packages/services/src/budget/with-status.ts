import {
  type Budget,
  type BudgetStatus,
  forecastHours,
  isInScope,
  MonthCosts,
  statusOf,
} from "@fairlead/domain/budget";
import { type Hours, monthOf } from "@fairlead/domain/cost";
import { bookOwner } from "../cost/open-context.ts";
import { isTooMuch } from "../usage/check-much.ts";
import { type CostContext, costsOf } from "../usage/costs-of.ts";
import { type Subject, selectSubjects } from "../usage/subjects.sql.ts";
import type { BudgetRow } from "./rows.ts";

/**
 * withStatus calculates the status of budgets this month, from the costs that listCosts returns. Costs are calculated once for
 * each currency, however many budgets there are. If that is too much at once, the largest budgets have none.
 */
export async function withStatus(ctx: CostContext, rows: readonly BudgetRow[]): Promise<Budget[]> {
  if (rows.length === 0) return [];
  const { db, organizationId, now } = ctx;
  const hours = forecastHours(now);
  // Tiers are per month, so earlier usage in the month counts as well.
  const read = { from: monthOf(hours.from).from, to: hours.to };
  const subjects = await selectSubjects(db, organizationId, scopeFilter(rows), read);
  const parts = divide(rows, subjects, read);
  const costs = new Map(parts.flatMap((part) => part.rows).map((row) => [row.id, new MonthCosts(now)]));
  for (const part of parts) await addCosts(ctx, part, read, costs);
  const hasPriceBook = bookOwner({ caller: ctx }) !== null;
  return rows.map((row) => {
    const sum = costs.get(row.id);
    const status = sum ? statusOf(row, sum) : null;
    return { ...row, status: status && isExact(status) ? { ...status, hasPriceBook } : null };
  });
}

/** budgetWithStatus is one budget with its status. */
export async function budgetWithStatus(ctx: CostContext, row: BudgetRow): Promise<Budget> {
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

/** Part is the budgets of one currency that are calculated together, and the load balancers in their scopes. */
type Part = { currency: string; rows: BudgetRow[]; subjects: Set<Subject> };

/** divide takes the budgets with the fewest load balancers first, as many as can be calculated at once. */
function divide(rows: readonly BudgetRow[], subjects: readonly Subject[], read: Hours): Part[] {
  const sized = rows
    .map((row) => ({ row, own: subjects.filter((subject) => isInScope(row.scope, subject)) }))
    .sort((a, b) => a.own.length - b.own.length);
  const parts = new Map<string, Part>();
  let balancers = 0;
  for (const { row, own } of sized) {
    const { currency } = row;
    const part = parts.get(currency) ?? { currency, rows: [], subjects: new Set<Subject>() };
    const added = own.filter((subject) => !part.subjects.has(subject));
    if (isTooMuch(balancers + added.length, read)) continue;
    balancers += added.length;
    part.rows.push(row);
    for (const subject of added) part.subjects.add(subject);
    parts.set(currency, part);
  }
  return [...parts.values()];
}

async function addCosts(
  ctx: CostContext,
  { currency, rows, subjects }: Part,
  read: Hours,
  costs: ReadonlyMap<string, MonthCosts>,
): Promise<void> {
  if (subjects.size === 0) return;
  for await (const { subject, cost } of costsOf(ctx, [...subjects], read, read.from, currency)) {
    const sums = rows.flatMap(({ id, scope }) => (isInScope(scope, subject) ? (costs.get(id) ?? []) : []));
    for (const sum of sums) {
      sum.explain(cost.reasons);
      for (const hour of cost.hours) sum.add(hour);
    }
  }
}
