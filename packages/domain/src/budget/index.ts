export * from "./budget.ts";
export * from "./budget-scope.ts";
export * from "./forecast.ts";
