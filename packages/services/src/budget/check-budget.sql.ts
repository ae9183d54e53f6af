import type { Tx } from "@fairlead/db";
import { DomainError } from "@fairlead/domain";
import type { BudgetScope } from "@fairlead/domain/budget";
import type { ServiceContext } from "../context.ts";
import { lockRow } from "../control/lock-row.sql.ts";

/** The states of all budgets are calculated at once. */
export const mostBudgets = 100;

/** checkRoom rejects a budget over the limit of an organisation. Two that are created at once are counted one by one. */
export async function checkRoom(tx: Tx, { organizationId }: ServiceContext): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM organization WHERE id = ${organizationId} FOR NO KEY UPDATE`;
  if ((await tx.budget.count({ where: { organizationId } })) < mostBudgets) return;
  throw new DomainError(
    "exhausted",
    `The organisation has ${mostBudgets} budgets, which is the limit: delete one that isn't needed first.`,
  );
}

/** checkScope rejects a cluster that doesn't exist. */
export async function checkScope(tx: Tx, { organizationId }: ServiceContext, scope: BudgetScope): Promise<void> {
  if (scope.type !== "cluster") return;
  await lockRow(tx, "cluster", organizationId, scope.clusterId, { mode: "share", path: ["scope", "clusterId"] });
}
