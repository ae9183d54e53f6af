import { inTransaction } from "@fairlead/db";
import { authorize, type ServiceContext } from "../context.ts";
import { checkGeneration } from "../control/generation.ts";
import { lockRow } from "../control/lock-row.sql.ts";
import { recordChange } from "../control/record-change.ts";
import { loadBudget } from "./load.ts";
import { specOf } from "./rows.ts";

export async function deleteBudget(ctx: ServiceContext, id: string, expectedGeneration?: number): Promise<void> {
  authorize(ctx, "budget:write");
  await inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, "budget", ctx.organizationId, id);
    const stored = await loadBudget(tx, ctx.organizationId, id);
    checkGeneration("budget", stored.generation, expectedGeneration);
    await tx.budget.delete({ where: { id } });
    await recordChange(tx, ctx, {
      action: "budget.delete",
      subjectKind: "budget",
      subjectId: id,
      subjectName: stored.name,
      clusterId: null,
      before: specOf(stored),
      after: null,
    });
  });
}
