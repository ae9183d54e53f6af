import { z } from "zod";
import { currencyCode } from "../cost/prices/currency-code.ts";
import { idOf } from "../id.ts";
import { listInput } from "../page.ts";
import { plainText } from "../plain-text.ts";
import { volatile } from "../volatile.ts";
import { budgetScope } from "./budget-scope.ts";

const mostMicros = 1e15;

const fields = {
  name: plainText(63).min(1, "enter a name"),
  scope: budgetScope,
  amountMicros: z
    .int("enter an amount such as 500, with six decimal places at most")
    .min(1, "enter an amount above 0")
    .max(mostMicros, `enter at most ${mostMicros / 1e6}`)
    .describe("The amount for each calendar month in UTC, in millionths of the currency."),
  currency: currencyCode,
  warnAtPercent: z
    .int("enter a whole number from 1 to 100")
    .min(1, "enter a whole number from 1 to 100")
    .max(100, "enter a whole number from 1 to 100")
    .describe("Warns once this share of the amount is spent."),
};

export const createBudget = z
  .strictObject({
    ...fields,
    currency: fields.currency.default("USD"),
    warnAtPercent: fields.warnAtPercent.default(80),
  })
  .meta({ id: "CreateBudget" });
export type CreateBudget = z.infer<typeof createBudget>;

export const updateBudget = z.strictObject(fields).partial().meta({ id: "UpdateBudget" });
export type UpdateBudget = z.infer<typeof updateBudget>;

export const budgetStates = ["within", "forecast-over", "over", "unknown"] as const;
export const budgetState = z.enum(budgetStates);
export type BudgetState = z.infer<typeof budgetState>;

/** BudgetStatus is what is spent of a budget this month, and the forecast. All amounts are estimates. */
export const budgetStatus = z
  .object({
    state: budgetState.describe(
      "over: more than the amount is spent. forecast-over: the forecast is more than the amount. unknown: no part of its cost is known. within: none of these.",
    ),
    hasReachedWarning: z.boolean().describe("Whether warnAtPercent of the amount is spent."),
    spentMicros: z.int().describe("The known cost of this month so far. A minimum if knownShare is below 1."),
    knownShare: z.number().min(0).max(1).describe("The share of the time with a complete cost; 1 without usage."),
    forecastMicros: z
      .int()
      .nullable()
      .describe("The expected cost of the whole month. null: not enough data, as there is usage of less than a day."),
    reasons: z
      .array(z.string())
      .describe("What is missing of the cost or assumed in it, and what to do: up to five sentences."),
    hasPriceBook: z.boolean().describe("Whether the price book was used. Without price-book:read, list prices are."),
  })
  .meta({ id: "BudgetStatus" });
export type BudgetStatus = z.infer<typeof budgetStatus>;

/** Budget is an amount per month for some load balancers, and how much of it is spent. */
export const budget = z
  .object({
    id: idOf("budget"),
    ...fields,
    clusterName: z.string().nullable().describe("The cluster of the scope; null if there is none, or it is deleted."),
    generation: z.int().describe("Incremented by every change."),
    createdAt: z.date(),
    updatedAt: z.date(),
    status: volatile(
      budgetStatus
        .nullable()
        .describe(
          "null if there is too much usage to calculate it at once, such as in a list of many large budgets, or an exchange rate makes it too large.",
        ),
    ),
  })
  .meta({ id: "Budget" });
export type Budget = z.infer<typeof budget>;

export const listBudgets = listInput(["name", "amountMicros", "createdAt"], {}, { sort: "name", direction: "asc" });
export type ListBudgets = z.infer<typeof listBudgets>;
