import type { Budget } from "@fairlead/domain/budget";
import { monthText } from "../cost/calculator/money-text.ts";
import type { StatusLook } from "../ui/status/status.ts";

type Stated = Pick<Budget, "amountMicros" | "currency" | "warnAtPercent" | "status">;

/** budgetLook returns the state of a budget as word and shape. */
export function budgetLook({ status, warnAtPercent }: Stated): StatusLook {
  if (!status) return { word: "Not calculated", shape: "dash", tone: "silent" };
  switch (status.state) {
    case "over":
      return { word: "Over budget", shape: "square", tone: "bad" };
    case "forecast-over":
      return { word: "Forecast over budget", shape: "triangle", tone: "warn" };
    case "unknown":
      return { word: "Cost unknown", shape: "dash", tone: "warn" };
    case "within":
      return status.hasReachedWarning
        ? { word: `Over ${warnAtPercent} % spent`, shape: "half", tone: "warn" }
        : { word: "Within budget", shape: "disc", tone: "good" };
    default:
      return status.state satisfies never;
  }
}

export function spentText({ currency, status }: Stated): string {
  if (!status || status.state === "unknown") return "unknown";
  return `${status.knownShare < 0.995 ? "at least " : ""}${monthText(status.spentMicros, currency)}`;
}

export function forecastText({ currency, status }: Stated): string {
  if (!status || status.state === "unknown") return "unknown";
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
