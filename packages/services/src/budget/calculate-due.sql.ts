import { type Db, Prisma, selectPage } from "@fairlead/db";
import type { Actor } from "@fairlead/domain/access";
import type { Budget, BudgetStatus } from "@fairlead/domain/budget";
import { mostBudgets } from "./check-budget.sql.ts";
import { type BudgetRow, budgetSource } from "./rows.ts";
import { budgetWithStatus, withStatus } from "./with-status.ts";

/** How long a stored state is kept: it takes as long to calculate as the costs of the month. */
const keepMs = 10 * 60_000;
/** Organisations of one run; the next one continues. */
const mostOrganizations = 100;
/** Stored states include the price book. */
const actor: Actor = { kind: "system", id: "fairlead", name: "Fairlead" };

/**
 * calculateDueBudgets calculates and stores the states of budgets that are new, changed or older than ten minutes. The
 * list of what needs attention reads them: it is requested too often to calculate them each time. It returns how many it
 * calculated. Any number of processes may run it.
 */
export async function calculateDueBudgets(db: Db, now: Date, stopping?: AbortSignal): Promise<number> {
  const failures: unknown[] = [];
  let calculated = 0;
  for (const organizationId of await selectDue(db, now)) {
    if (stopping?.aborted) break;
    try {
      calculated += await calculateAll(db, organizationId, now);
    } catch (error) {
      // An organisation that fails must not block the others.
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return calculated;
}

/** selectDue returns the organisations with a budget that is due, the oldest state first. */
async function selectDue(db: Db, now: Date): Promise<string[]> {
  const before = new Date(now.getTime() - keepMs);
  const rows = await db.$queryRaw<{ organizationId: string }[]>`
    SELECT b.organization_id AS "organizationId"
    FROM budget b LEFT JOIN budget_status s ON s.budget_id = b.id AND s.generation = b.generation
    WHERE s.budget_id IS NULL OR s.stated_at <= ${before}
    GROUP BY b.organization_id ORDER BY min(s.stated_at) NULLS FIRST LIMIT ${mostOrganizations}`;
  return rows.map(({ organizationId }) => organizationId);
}

async function calculateAll(db: Db, organizationId: string, now: Date): Promise<number> {
  const { items } = await selectPage<BudgetRow>(db, {
    ...budgetSource,
    sort: { column: "name", cast: "text" },
    direction: "asc",
    where: [Prisma.sql`"organizationId" = ${organizationId}`],
    page: { limit: mostBudgets },
  });
  const ctx = { db, organizationId, now, actor };
  for (const budget of await withStatus(ctx, items)) {
    // Too much together with the others may be little enough alone.
    const stated = budget.status || items.length === 1 ? budget : await budgetWithStatus(ctx, budget);
    await storeState(db, stated, now);
  }
  return items.length;
}

type StatedBudget = Pick<Budget, "id" | "generation"> & {
  status: Omit<BudgetStatus, "knownShare" | "hasPriceBook"> | null;
};

/** storeState stores the state of a budget, unless the budget was changed or deleted meanwhile. */
export async function storeState(db: Db, { id, generation, status }: StatedBudget, now: Date): Promise<void> {
  const { state = null, spentMicros = null, forecastMicros = null } = status ?? {};
  const reason = (state === "unknown" && status?.reasons[0]) || "";
  const warnedSince = status?.hasReachedWarning ? now : null;
  await db.$executeRaw`
    INSERT INTO budget_status (budget_id, generation, state, reason, state_since, warned_since, spent_micros, forecast_micros, stated_at)
    SELECT id, generation, ${state}, ${reason}, ${now}, ${warnedSince}::timestamptz, ${spentMicros}::bigint, ${forecastMicros}::bigint, ${now}
    FROM budget WHERE id = ${id} AND generation = ${generation} FOR KEY SHARE
    ON CONFLICT (budget_id) DO UPDATE SET
      generation = excluded.generation, state = excluded.state, reason = excluded.reason, spent_micros = excluded.spent_micros,
      forecast_micros = excluded.forecast_micros, stated_at = excluded.stated_at,
      state_since = CASE WHEN budget_status.state IS DISTINCT FROM excluded.state THEN excluded.state_since ELSE budget_status.state_since END,
      warned_since = CASE WHEN excluded.warned_since IS NULL THEN NULL ELSE coalesce(budget_status.warned_since, excluded.warned_since) END
    WHERE budget_status.stated_at <= excluded.stated_at`;
}
