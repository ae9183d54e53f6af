import { Prisma, type Tx } from "@fairlead/db";
import { inCluster, rankFound, type Scope } from "./rank-found.sql.ts";

export type BudgetRow = {
  id: string;
  name: string;
  clusterId: string | null;
  clusterName: string | null;
  amountMicros: number;
  currency: string;
  warnAtPercent: number;
  /** null: too much to calculate it. */
  spentMicros: number | null;
  /** null: not enough data. */
  forecastMicros: number | null;
  /** What is missing of an unknown cost. */
  reason: string;
};

/**
 * findBudgets finds budgets that are exceeded, whose forecast exceeds them, that have reached their warning, or whose cost
 * is unknown, by the states that a controller stored.
 */
export function findBudgets(tx: Tx, scope: Scope) {
  return rankFound<BudgetRow>(
    tx,
    scope,
    Prisma.sql`
      SELECT b.id, b.name, c.id AS "clusterId", c.name AS "clusterName", b.amount_micros::float8 AS "amountMicros", b.currency,
        b.warn_at_percent AS "warnAtPercent",
        s.spent_micros::float8 AS "spentMicros", s.forecast_micros::float8 AS "forecastMicros", s.reason,
        CASE WHEN s.state = 'within' THEN s.warned_since ELSE s.state_since END AS since,
        CASE WHEN s.state = 'within' THEN 'budget-warned' ELSE 'budget-' || coalesce(s.state, 'unknown') END AS kind
      FROM budget b
      JOIN budget_status s ON s.budget_id = b.id AND s.generation = b.generation
      LEFT JOIN cluster c ON c.id = b.scope ->> 'clusterId' AND c.organization_id = b.organization_id
      WHERE b.organization_id = ${scope.organizationId} AND ${inCluster("c.id", scope)}
        AND (s.state IS DISTINCT FROM 'within' OR s.warned_since IS NOT NULL)`,
  );
}
