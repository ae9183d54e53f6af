import type { Budget } from "@fairlead/domain/budget";
import type { ServiceContext } from "../context.ts";
import type { BudgetRow } from "./rows.ts";
import { withStatus } from "./with-status.ts";

/** statedBudget is one budget with its status. */
export async function statedBudget(ctx: ServiceContext, row: BudgetRow): Promise<Budget> {
  const [budget] = await withStatus(ctx, [row]);
  if (!budget) throw new Error("a budget has a status");
  return budget;
}
