import { inTransaction } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import type { Budget, CreateBudget } from "@fairlead/domain/budget";
import { authorize, type ServiceContext } from "../context.ts";
import { recordChange } from "../control/record-change.ts";
import { onDuplicate } from "../control/unique.ts";
import { checkRoom, checkScope } from "./check-budget.sql.ts";
import { loadBudget } from "./load.ts";
import { budgetWithStatus } from "./with-status.ts";

export async function createBudget(ctx: ServiceContext, input: CreateBudget): Promise<Budget> {
  authorize(ctx, "budget:write");
  const { organizationId, now } = ctx;
  const row = await inTransaction(ctx.db, async (tx) => {
    await checkRoom(tx, ctx);
    await checkScope(tx, ctx, input.scope);
    const id = newId("budget", now);
    const data = { ...input, id, organizationId, createdAt: now, updatedAt: now };
    await onDuplicate(tx.budget.create({ data }), ["name"], `There is already a budget named ${input.name}.`);
    await recordChange(tx, ctx, {
      action: "budget.create",
      subjectKind: "budget",
      subjectId: id,
      subjectName: input.name,
      clusterId: null,
      before: null,
      after: input,
    });
    return loadBudget(tx, organizationId, id);
  });
  return budgetWithStatus(ctx, row);
}
