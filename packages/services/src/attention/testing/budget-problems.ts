import type { AttentionKind } from "@fairlead/domain/attention";
import type { BudgetState } from "@fairlead/domain/budget";
import { storeState } from "../../budget/calculate-due.sql.ts";
import { createBudget, updateBudget } from "../../budget/index.ts";
import type { CreateProblem } from "./problem.ts";

/** A change of the amount ends it until the state is calculated again. */
const stated =
  (state: BudgetState, spentMicros: number, forecastMicros: number, reasons: string[] = []): CreateProblem =>
  async (ctx) => {
    const spec = { name: "shop", scope: { type: "organization" as const }, currency: "USD", warnAtPercent: 80 };
    const budget = await createBudget(ctx, { ...spec, amountMicros: 500_000_000 });
    const hasReachedWarning = spentMicros >= 400_000_000;
    const status = { state, hasReachedWarning, spentMicros, forecastMicros, reasons };
    await storeState(ctx.db, { ...budget, status }, ctx.now);
    return { began: ctx.now, fix: () => updateBudget(ctx, budget.id, { amountMicros: 900_000_000 }) };
  };

export const budgetProblems = {
  "budget-over": stated("over", 512_300_000, 640_000_000),
  "budget-forecast-over": stated("forecast-over", 320_000_000, 640_000_000),
  "budget-warned": stated("within", 410_000_000, 480_000_000),
  "budget-unknown": stated("unknown", 0, 0, ["The provider of prod is not set."]),
} satisfies Partial<Record<AttentionKind, CreateProblem>>;
