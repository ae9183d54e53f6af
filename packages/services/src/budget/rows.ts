import { viewSource } from "@fairlead/db";
import { budget, type CreateBudget } from "@fairlead/domain/budget";
import type { z } from "zod";

const budgetRow = budget.omit({ status: true });

/** BudgetRow is a budget as it is stored: its status is calculated on request. */
export type BudgetRow = z.infer<typeof budgetRow>;

export const budgetSource = viewSource("budget_view", budgetRow);

/** specOf is what users set, which is what the audit keeps. */
export function specOf({ name, scope, amountMicros, currency, warnAtPercent }: BudgetRow): CreateBudget {
  return { name, scope, amountMicros, currency, warnAtPercent };
}
