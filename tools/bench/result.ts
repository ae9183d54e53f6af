import { type Summary, summarize } from "@fairlead/domain";

export type Result = Summary & {
  subject: string;
  metric: string;
  unit: string;
  /** The limit that this figure must hold, in words a program can compare: "<= 100". */
  bar: string | null;
  holds: boolean | null;
};

type Bar = { at: "median" | "p99" | "max" | "low"; op: "<=" | ">=" | "=="; value: number };

/** result summarizes the values of one figure and says whether it holds its bar. */
export function result(subject: string, metric: string, unit: string, values: number[], bar?: Bar): Result {
  const summary = summarize(values);
  if (!bar) return { subject, metric, unit, ...summary, bar: null, holds: null };
  return {
    subject,
    metric,
    unit,
    ...summary,
    bar: `${bar.at} ${bar.op} ${bar.value}`,
    holds: compare(summary[bar.at], bar),
  };
}

function compare(value: number, { op, value: limit }: Bar): boolean {
  switch (op) {
    case "<=":
      return value <= limit;
    case ">=":
      return value >= limit;
    case "==":
      return value === limit;
    default:
      return op satisfies never;
  }
}
