import { type Summary, summarize } from "@fairlead/domain";

export type Result = Summary & {
  subject: string;
  metric: string;
  unit: string;
  /** The limit that this figure must hold, in words a program can compare: "<= 100". */
  bar: string | null;
  holds: boolean | null;
  /** What limits it, in a sentence, as it was while this was measured. */
  limit?: string;
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

/** wasMeasured says whether a subject that has bars was measured as often as it had to be: one without figures passes none. */
export function wasMeasured(subject: string, times: number, least = 1): Result {
  return result(subject, "times it was measured", "times", [times], { at: "low", op: ">=", value: least });
}

/** explainLimits has a sentence for each limit of results: those that were measured together share one. */
export function explainLimits(results: Result[]): string[] {
  return [...Map.groupBy(results, (each) => each.limit)].flatMap(([limit, own]) =>
    limit ? [`${own.map((each) => each.metric).join(", ")}: ${limit}`] : [],
  );
}

/** Units of what depends on whatever else the machine did meanwhile; a host that waits too long sends segments again. */
const speeds = new Set(["s", "ms", "µs", "ns", "ratio", "1/s", "samples/s", "segments"]);

/** failing are the results that fail a run. The short form is held to all but how fast it was. */
export function failing(results: Result[], quick: boolean): Result[] {
  return results.filter(({ holds, unit }) => holds === false && !(quick && speeds.has(unit)));
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
