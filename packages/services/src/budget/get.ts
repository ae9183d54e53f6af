import type { Budget } from "@fairlead/domain/budget";
import { authorize, type ServiceContext } from "../context.ts";
import { loadBudget } from "./load.ts";
import { budgetWithStatus } from "./with-status.ts";

export async function getBudget(ctx: ServiceContext, id: string): Promise<Budget> {
  authorize(ctx, "budget:read");
  return budgetWithStatus(ctx, await loadBudget(ctx.db, ctx.organizationId, id));
}
