import { createLoader, type inferParserType, parseAsString, parseAsStringLiteral } from "nuqs/server";

export const runningGroups = ["exposure", "cluster", "loadBalancer", "label"] as const;
export type RunningGroup = (typeof runningGroups)[number];
export const runningMonths = ["this", "last"] as const;
export type RunningMonth = (typeof runningMonths)[number];

/** The state of the running cost page. */
export const runningParams = {
  by: parseAsStringLiteral(runningGroups).withDefault("exposure"),
  label: parseAsString.withDefault(""),
  cluster: parseAsString.withDefault(""),
  month: parseAsStringLiteral(runningMonths).withDefault("this"),
};
export type RunningParams = inferParserType<typeof runningParams>;

export const loadRunningParams = createLoader(runningParams);

const maxRows = 200;

export const allBudgets = { limit: 100 } as const;

/** runningInput is what the page asks for; null while it groups by a label that has no name yet. */
export function runningInput({ by, label, cluster, month }: RunningParams, now: Date) {
  const named = label.trim();
  if (by === "label" && !named) return null;
  return {
    ...spanOfMonth(month, now),
    groupBy: by === "label" ? (`label:${named}` as const) : by,
    step: "day" as const,
    limit: maxRows,
    ...(cluster ? { clusterId: cluster } : {}),
  };
}

const hourMs = 3_600_000;

/** spanOfMonth returns the span of a month in UTC, as in bills. The current month ends with the current hour. */
export function spanOfMonth(month: RunningMonth, now: Date): { from: Date; to: Date } {
  const first = (months: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months));
  if (month === "this") return { from: first(0), to: new Date((Math.floor(now.getTime() / hourMs) + 1) * hourMs) };
  return { from: first(-1), to: first(0) };
}
