import type { Page } from "@fairlead/domain";
import type { Budget, ListBudgets } from "@fairlead/domain/budget";
import type { ServiceContext } from "../context.ts";
import { contains } from "../control/filter.sql.ts";
import { listWithin } from "../control/list-within.ts";
import { type BudgetRow, budgetSource } from "./rows.ts";
import { withStatus } from "./with-status.ts";

const casts = { name: "text", amountMicros: "float8", createdAt: "timestamptz" } as const;

export async function listBudgets(ctx: ServiceContext, input: ListBudgets): Promise<Page<Budget>> {
  const page = await listWithin<BudgetRow>(ctx, "budget:read", input, {
    ...budgetSource,
    sort: { cast: casts[input.sort] },
    where: [contains("name", input.search)],
  });
  return { ...page, items: await withStatus(ctx, page.items) };
}
