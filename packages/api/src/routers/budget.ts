import { idOf, pageOf } from "@fairlead/domain";
import { budget, createBudget, listBudgets, updateBudget } from "@fairlead/domain/budget";
import * as services from "@fairlead/services";
import { byId, expectedGeneration, nothing } from "../input.ts";
import { procedure, router } from "../trpc.ts";

const tag = "Budgets";
const id = idOf("budget");

export const budgetRouter = router({
  list: procedure
    .meta({ permission: "budget:read", rest: { method: "GET", path: "/budgets", summary: "List budgets", tag } })
    .input(listBudgets)
    .output(pageOf(budget))
    .query(({ ctx, input }) => services.listBudgets(ctx, input)),

  get: procedure
    .meta({ permission: "budget:read", rest: { method: "GET", path: "/budgets/{id}", summary: "Read a budget", tag } })
    .input(byId(id))
    .output(budget)
    .query(({ ctx, input }) => services.getBudget(ctx, input.id)),

  create: procedure
    .meta({
      permission: "budget:write",
      rest: {
        method: "POST",
        path: "/budgets",
        summary: "Create a budget",
        tag,
        status: 201,
        example: {
          name: "Shop",
          scope: { type: "label", key: "team", value: "shop" },
          amountMicros: 500_000_000,
          currency: "USD",
          warnAtPercent: 80,
        },
      },
    })
    .input(createBudget)
    .output(budget)
    .mutation(({ ctx, input }) => services.createBudget(ctx, input)),

  update: procedure
    .meta({
      permission: "budget:write",
      rest: {
        method: "PATCH",
        path: "/budgets/{id}",
        summary: "Change a budget",
        tag,
        example: { amountMicros: 600_000_000 },
      },
    })
    .input(updateBudget.extend({ id, expectedGeneration }))
    .output(budget)
    .mutation(({ ctx, input: { id, expectedGeneration, ...change } }) =>
      services.updateBudget(ctx, id, change, expectedGeneration),
    ),

  delete: procedure
    .meta({
      permission: "budget:write",
      rest: { method: "DELETE", path: "/budgets/{id}", summary: "Delete a budget", tag, status: 204 },
    })
    .input(byId(id).extend({ expectedGeneration }))
    .output(nothing)
    .mutation(({ ctx, input }) => services.deleteBudget(ctx, input.id, input.expectedGeneration)),
});
