import { type inferParserType, parseAsString, parseAsStringLiteral } from "nuqs/server";

export const runningGroups = ["exposure", "cluster", "loadBalancer", "label"] as const;
export type RunningGroup = (typeof runningGroups)[number];
export const runningMonths = ["this", "last"] as const;
export type RunningMonth = (typeof runningMonths)[number];

/** Everything that the page of running costs shows follows from these. */
export const runningParams = {
  by: parseAsStringLiteral(runningGroups).withDefault("exposure"),
  label: parseAsString.withDefault(""),
  cluster: parseAsString.withDefault(""),
  month: parseAsStringLiteral(runningMonths).withDefault("this"),
};
export type RunningParams = inferParserType<typeof runningParams>;

/** spanOfMonth is the month that is asked for, in UTC, as bills are. This one ends with the last hour that is over, which the server knows. */
export function spanOfMonth(month: RunningMonth, now: Date): { from?: Date; to?: Date } {
  if (month === "this") return {};
  const first = (months: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months));
  return { from: first(-1), to: first(0) };
}
