import type { Budget, BudgetStatus } from "@fairlead/domain/budget";
import { monthText } from "../cost/calculator/money-text.ts";
import type { StatusLook } from "../ui/status/status.ts";

type Stated = Pick<Budget, "amountMicros" | "currency" | "warnAtPercent" | "status">;

/** budgetLook returns the state of a budget as word and shape. */
export function budgetLook({ status, warnAtPercent }: Stated): StatusLook {
  if (!status) return { word: "Not calculated", shape: "dash", tone: "silent" };
  if (isUnknown(status)) return { word: "Cost unknown", shape: "dash", tone: "silent" };
  switch (status.state) {
    case "over":
      return { word: "Over budget", shape: "square", tone: "bad" };
    case "forecast-over":
      return { word: "Forecast over budget", shape: "triangle", tone: "warn" };
    case "within":
      return status.hasReachedWarning
        ? { word: `Over ${warnAtPercent} % spent`, shape: "half", tone: "warn" }
        : { word: "Within budget", shape: "disc", tone: "good" };
    default:
      return status.state satisfies never;
  }
}

/** isUnknown reports whether no part of the cost is known. That is neither zero nor within the budget. */
export function isUnknown({ spentMicros, knownShare }: BudgetStatus): boolean {
  return spentMicros === 0 && knownShare === 0;
}

export function spentText({ currency, status }: Stated): string {
  if (!status || isUnknown(status)) return "unknown";
  return `${status.knownShare < 0.995 ? "at least " : ""}${monthText(status.spentMicros, currency)}`;
}

export function forecastText({ currency, status }: Stated): string {
  if (!status || isUnknown(status)) return "unknown";
  if (status.forecastMicros === null) return "not enough data";
  return `${status.knownShare < 0.995 ? "at least " : ""}${monthText(status.forecastMicros, currency)}`;
}

/** scopeText names what a budget is for. */
export function scopeText({ scope, clusterName }: Pick<Budget, "scope" | "clusterName">): string {
  switch (scope.type) {
    case "organization":
      return "whole organisation";
    case "cluster":
      return clusterName === null ? "deleted cluster" : `cluster ${clusterName}`;
    case "label":
      return `label ${scope.key}=${scope.value}`;
    default:
      return scope satisfies never;
  }
}
