import { inTransaction } from "@fairlead/db";
import { canonicalJson } from "@fairlead/domain";
import type { Budget, UpdateBudget } from "@fairlead/domain/budget";
import { authorize, type ServiceContext } from "../context.ts";
import { checkGeneration } from "../control/generation.ts";
import { lockRow } from "../control/lock-row.sql.ts";
import { recordChange } from "../control/record-change.ts";
import { onDuplicate } from "../control/unique.ts";
import { withoutUndefined } from "../control/without-undefined.ts";
import { checkScope } from "./check-budget.sql.ts";
import { loadBudget } from "./load.ts";
import { specOf } from "./rows.ts";
import { budgetWithStatus } from "./with-status.ts";

/** updateBudget changes the given fields of a budget. An update to the current values changes nothing. */
export async function updateBudget(
  ctx: ServiceContext,
  id: string,
  input: UpdateBudget,
  expectedGeneration?: number,
): Promise<Budget> {
  authorize(ctx, "budget:write");
  const { organizationId } = ctx;
  const row = await inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, "budget", organizationId, id);
    const stored = await loadBudget(tx, organizationId, id);
    checkGeneration("budget", stored.generation, expectedGeneration);
    const before = specOf(stored);
    const spec = { ...before, ...withoutUndefined(input) };
    if (canonicalJson(spec) === canonicalJson(before)) return stored;
    // The cluster of an unchanged scope may be deleted by now.
    if (canonicalJson(spec.scope) !== canonicalJson(before.scope)) await checkScope(tx, ctx, spec.scope);
    const data = { ...spec, updatedAt: ctx.now, generation: { increment: 1 } };
    await onDuplicate(
      tx.budget.update({ where: { id }, data }),
      ["name"],
      `There is already a budget named ${spec.name}.`,
    );
    await recordChange(tx, ctx, {
      action: "budget.update",
      subjectKind: "budget",
      subjectId: id,
      subjectName: spec.name,
      clusterId: null,
      before,
      after: spec,
    });
    return loadBudget(tx, organizationId, id);
  });
  return budgetWithStatus(ctx, row);
}
