import type { Tx } from "@fairlead/db";
import { loadOne } from "../control/load-one.ts";
import { type BudgetRow, budgetSource } from "./rows.ts";

/** loadBudget is for verbs that have checked their own permission. */
export function loadBudget(tx: Tx, organizationId: string, id: string): Promise<BudgetRow> {
  return loadOne<BudgetRow>(tx, "budget", budgetSource, organizationId, id);
}
