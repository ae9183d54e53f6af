import { GetMetricDataCommand, type MetricDataQuery } from "@aws-sdk/client-cloudwatch";
import type { Span } from "../cloud-metrics.ts";
import type { Apis } from "./apis.ts";

const action = "GetMetricData";
export const mostQueries = 500;
/** AWS puts 100 800 points on one; a day of 500 metrics is seven. */
const mostPages = 50;
/** More than anything is measured to. */
const highest = 1e18;

/** What AWS said of one query: values by the start of their minutes, and whether these are all. */
export type Answered = { points: Map<number, number>; status: string };

/** readPoints asks what was measured, at most 500 queries at once, and follows the answer over all of its pages. */
export async function readPoints(
  apis: Apis,
  queries: readonly Omit<MetricDataQuery, "Id">[],
  { from, to }: Pick<Span, "from" | "to">,
): Promise<Answered[]> {
  const answered = queries.map((): Answered => ({ points: new Map(), status: "Missing" }));
  for (let first = 0; first < queries.length; first += mostQueries) {
    const batch = queries
      .slice(first, first + mostQueries)
      .map((query, index) => ({ ...query, Id: `m${first + index}` }));
    const asked = { StartTime: from, EndTime: to, MetricDataQueries: batch, ScanBy: "TimestampAscending" } as const;
    let token: string | undefined;
    let pages = 0;
    do {
      if (pages++ === mostPages) throw new Error(`the answer to ${action} doesn't end`);
      const page = await apis.metrics(new GetMetricDataCommand({ ...asked, NextToken: token }), action);
      for (const { Id = "", StatusCode = "Missing", Timestamps = [], Values = [] } of page.MetricDataResults ?? []) {
        const one = answered[Number(/^m(\d+)$/.exec(Id)?.[1] ?? Number.NaN)];
        if (!one) continue;
        one.status = StatusCode;
        for (const [index, at] of Timestamps.entries()) take(one, at, Values[index], { from, to });
      }
      token = page.NextToken;
    } while (token);
  }
  return answered;
}

function take(
  { points }: Answered,
  at: Date,
  value: number | undefined,
  { from, to }: Pick<Span, "from" | "to">,
): void {
  const isPossible = value !== undefined && value >= 0 && value <= highest;
  if (!isPossible || at < from || at >= to || at.getTime() % 60_000 !== 0)
    throw new Error(`the answer to ${action} has points in it that nobody asked for`);
  points.set(at.getTime(), value);
}
