import { GetMetricDataCommand, type MetricDataQuery } from "@aws-sdk/client-cloudwatch";
import { PageLimit } from "@fairlead/http";
import type { Span } from "../cloud-metrics.ts";
import type { Apis } from "./apis.ts";

const action = "GetMetricData";
export const mostQueries = 500;
/** A page has 100 800 points; a day of 500 metrics is seven pages. */
const maxPages = 50;
/** An upper limit for plausible values. */
const highest = 1e18;

/** AWS's response to one query: values by the start of their minute, and the status. */
export type Answered = { points: Map<number, number>; status: string };

/** readPoints requests metrics, at most 500 queries per call, and reads all pages of the response. */
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
    const request = { StartTime: from, EndTime: to, MetricDataQueries: batch, ScanBy: "TimestampAscending" } as const;
    const pages = new PageLimit(maxPages, `the answer to ${action}`);
    let token: string | undefined;
    do {
      const page = await apis.metrics(new GetMetricDataCommand({ ...request, NextToken: token }), action);
      for (const { Id = "", StatusCode = "Missing", Timestamps = [], Values = [] } of page.MetricDataResults ?? []) {
        const one = answered[Number(/^m(\d+)$/.exec(Id)?.[1] ?? Number.NaN)];
        if (!one) continue;
        one.status = StatusCode;
        for (const [index, at] of Timestamps.entries()) take(one, at, Values[index], { from, to });
      }
      token = page.NextToken;
      if (token) pages.next(token);
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
    throw new Error(`the answer to ${action} has points that were not requested`);
  points.set(at.getTime(), value);
}
