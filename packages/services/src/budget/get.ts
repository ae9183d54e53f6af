import type { Budget } from "@fairlead/domain/budget";
import { authorize, type ServiceContext } from "../context.ts";
import { loadBudget } from "./load.ts";
import { statedBudget } from "./stated.ts";

export async function getBudget(ctx: ServiceContext, id: string): Promise<Budget> {
  authorize(ctx, "budget:read");
  return statedBudget(ctx, await loadBudget(ctx.db, ctx.organizationId, id));
}
