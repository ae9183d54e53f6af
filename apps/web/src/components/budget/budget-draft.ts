import type { Budget, BudgetScope } from "@fairlead/domain/budget";
import { amountText, microsIn, numberIn } from "../cost/price-book/draft-values.ts";

export const draftFields = ["name", "amountMicros", "currency", "warnAtPercent", "clusterId", "key", "value"] as const;

/** BudgetDraft is a budget as typed. */
export type BudgetDraft = Record<(typeof draftFields)[number], string> & { scopeType: BudgetScope["type"] };

const empty: BudgetDraft = {
  ...{ name: "", amountMicros: "", currency: "USD", warnAtPercent: "80" },
  ...{ scopeType: "organization", clusterId: "", key: "", value: "" },
};

export function budgetDraft(budget: Budget | null): BudgetDraft {
  if (!budget) return empty;
  const { name, scope, amountMicros, currency, warnAtPercent } = budget;
  const { type, ...rest } = scope;
  const own = { name, amountMicros: amountText(amountMicros), currency, warnAtPercent: String(warnAtPercent) };
  return { ...empty, ...own, scopeType: type, ...rest };
}

/** budgetSpec returns the spec of a draft. The schema reports invalid values. */
export function budgetSpec(draft: BudgetDraft): object {
  return {
    name: draft.name,
    scope: scopeOf(draft),
    amountMicros: microsIn(draft.amountMicros),
    currency: draft.currency.trim(),
    warnAtPercent: numberIn(draft.warnAtPercent),
  };
}

function scopeOf({ scopeType, clusterId, key, value }: BudgetDraft): BudgetScope {
  switch (scopeType) {
    case "organization":
      return { type: "organization" };
    case "cluster":
      return { type: "cluster", clusterId };
    case "label":
      return { type: "label", key, value };
    default:
      return scopeType satisfies never;
  }
}
