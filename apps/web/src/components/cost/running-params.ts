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

const hourMs = 3_600_000;

/** spanOfMonth is the month that is asked for, in UTC, as bills are. This one ends with the present hour, as far as it has come. */
export function spanOfMonth(month: RunningMonth, now: Date): { from: Date; to: Date } {
  const first = (months: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months));
  if (month === "this") return { from: first(0), to: new Date((Math.floor(now.getTime() / hourMs) + 1) * hourMs) };
  return { from: first(-1), to: first(0) };
}
