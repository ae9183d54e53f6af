import { type Budget, type BudgetScope, type BudgetStatus, createBudget } from "@fairlead/domain/budget";
import { describe, expect, it } from "vitest";
import { barScale } from "./bar-scale.ts";
import { budgetDraft, budgetSpec } from "./budget-draft.ts";
import { budgetLook, forecastText, scopeText, spentText } from "./budget-words.ts";

const dollar = 1_000_000;
const status: BudgetStatus = {
  ...{ state: "within", hasReachedWarning: false, spentMicros: 25 * dollar, knownShare: 1 },
  ...{ forecastMicros: 50 * dollar, reasons: [], hasPriceBook: true },
};
const at = new Date("2026-11-21T12:00:00Z");
const budget: Budget = {
  ...{ id: "bud_1", name: "Shop", scope: { type: "organization" }, clusterName: null, amountMicros: 100 * dollar },
  ...{ currency: "USD", warnAtPercent: 80, generation: 1, createdAt: at, updatedAt: at, status },
};
const withStatus = (fields: Partial<BudgetStatus>): Budget => ({ ...budget, status: { ...status, ...fields } });
const unknown = withStatus({ state: "unknown", knownShare: 0, spentMicros: 0, forecastMicros: 0 });

describe("a budget", () => {
  it.each([
    [budget, "Within budget", "disc"],
    [withStatus({ hasReachedWarning: true }), "Over 80 % spent", "half"],
    [withStatus({ state: "forecast-over" }), "Forecast over budget", "triangle"],
    [withStatus({ state: "over" }), "Over budget", "square"],
    [unknown, "Cost unknown", "dash"],
    [{ ...budget, status: null }, "Not calculated", "dash"],
  ])("has a state as word and shape (%#)", (stated, word, shape) => {
    expect(budgetLook(stated)).toMatchObject({ word, shape });
  });

  it.each([
    [budget, "$25.00", "$50.00"],
    [withStatus({ forecastMicros: null }), "$25.00", "not enough data"],
    [withStatus({ knownShare: 0.5 }), "at least $25.00", "at least $50.00"],
    [unknown, "unknown", "unknown"],
    [{ ...budget, status: null }, "unknown", "unknown"],
  ])("never shows an unknown cost as free (%#)", (stated, spent, forecast) => {
    expect([spentText(stated), forecastText(stated)]).toEqual([spent, forecast]);
  });

  it.each([
    [budget, { spent: 25, forecast: 50, amount: 100 }],
    [withStatus({ forecastMicros: 200 * dollar }), { spent: 12.5, forecast: 100, amount: 50 }],
    [withStatus({ spentMicros: 400 * dollar, forecastMicros: null }), { spent: 100, forecast: null, amount: 25 }],
    [unknown, { spent: 0, forecast: null, amount: 100 }],
    [
      { ...budget, status: null },
      { spent: 0, forecast: null, amount: 100 },
    ],
  ])("fits into its bar (%#)", (stated, scale) => {
    expect(barScale(stated)).toEqual(scale);
  });

  it.each<[BudgetScope, string | null, string]>([
    [{ type: "organization" }, null, "whole organisation"],
    [{ type: "cluster", clusterId: "clu_1" }, "prod", "cluster prod"],
    [{ type: "cluster", clusterId: "clu_1" }, null, "deleted cluster"],
    [{ type: "label", key: "team", value: "shop" }, null, "label team=shop"],
  ])("keeps its scope %j in the form, and names it", (scope, clusterName, text) => {
    const { name, amountMicros, currency, warnAtPercent } = budget;
    expect(createBudget.parse(budgetSpec(budgetDraft({ ...budget, scope })))).toEqual({
      ...{ name, scope, amountMicros, currency, warnAtPercent },
    });
    expect(scopeText({ scope, clusterName })).toBe(text);
  });
});
