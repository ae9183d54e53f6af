import { Prisma, selectPage } from "@fairlead/db";
import type { Budget, BudgetStatus } from "@fairlead/domain/budget";
import type { ServiceContext } from "../context.ts";
import { mostBudgets } from "./check-budget.sql.ts";
import { type BudgetRow, budgetSource } from "./rows.ts";
import { withStatus } from "./with-status.ts";

export type StatedBudget = Pick<Budget, "id" | "name" | "amountMicros" | "currency" | "warnAtPercent"> & BudgetStatus;

/**
 * budgetStates returns all budgets of an organisation with their states, for lists of what needs attention. It checks no
 * permission: callers show them only to actors with budget:read. It takes as long as listCosts of this month.
 */
export async function budgetStates(ctx: ServiceContext): Promise<StatedBudget[]> {
  const { items } = await selectPage<BudgetRow>(ctx.db, {
    ...budgetSource,
    sort: { column: "name", cast: "text" },
    direction: "asc",
    where: [Prisma.sql`"organizationId" = ${ctx.organizationId}`],
    page: { limit: mostBudgets },
  });
  const stated = await withStatus(ctx, items);
  return stated.flatMap(({ id, name, amountMicros, currency, warnAtPercent, status }) =>
    status ? [{ id, name, amountMicros, currency, warnAtPercent, ...status }] : [],
  );
}
