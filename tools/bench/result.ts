import { type Summary, summarize } from "@fairlead/domain/benchmark";

export type Result = Summary & {
  subject: string;
  metric: string;
  unit: string;
  /** The limit for this figure, in a form that programs can compare: "<= 100". */
  bar: string | null;
  holds: boolean | null;
  /** What limited the figure during the measurement, in a sentence. */
  limit?: string;
  /** Whether a smoke run must hold the bar, too: it doesn't depend on the speed of the machine. */
  required?: true;
};

type Bar = { at: "median" | "p99" | "max" | "low"; op: "<=" | ">=" | "=="; value: number };

/** result summarizes the values of one figure and compares it with its bar. */
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

const times = "times";

/** wasMeasured checks that a subject with bars was measured often enough: without figures it passes none. */
export function wasMeasured(subject: string, count: number, least = 1): Result {
  return result(subject, "times it was measured", times, [count], { at: "low", op: ">=", value: least });
}

/** explainLimits returns a sentence for each limit; results that were measured together share one. */
export function explainLimits(results: Result[]): string[] {
  return [...Map.groupBy(results, (each) => each.limit)].flatMap(([limit, own]) =>
    limit ? [`${own.map((each) => each.metric).join(", ")}: ${limit}`] : [],
  );
}

/** missed are the results that miss their bars. */
export function missed(results: readonly Result[]): Result[] {
  return results.filter(({ holds }) => holds === false);
}

/** required makes a smoke run fail if a figure misses its bar. */
export function required(figure: Result): Result {
  return { ...figure, required: true };
}

/** lacking returns the required figures that a smoke run lacks or misses: after a complete run, this is its only way to fail. */
export function lacking(results: readonly Result[]): string[] {
  if (results.length === 0) return ["no figures at all"];
  return missed(results.filter(({ unit, required }) => unit === times || required)).map(
    ({ subject, metric, bar, max }) => `${subject}, ${metric}: ${max}, and not ${bar}`,
  );
}

/** withoutBar removes the bar from a figure of a smoke run. */
export function withoutBar({
  bar: _,
  holds: __,
  limit: ___,
  required: ____,
  ...figure
}: Result): Omit<Result, "bar" | "holds" | "limit" | "required"> {
  return figure;
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
