import type { BalancerProblem, CloudMetricsDriver, FoundBalancer, MeasuredSeries, Span } from "@fairlead/drivers";
import { driving } from "../../driving.ts";
import type { ReconcileContext } from "../../reconciler.ts";
import { type BalancerRead, type CloudBalancer, type StoredMetrics, selectBalancers } from "./load.sql.ts";
import { planSpans } from "./plan-spans.ts";
import { recordMeasured, type SampleStore } from "./record.ts";

/** After so long the rest is left to the next pass: what was read is written down. */
const passMs = 60_000;

export type Pass = {
  total: number;
  /** Sentences on balancers that aren't read, or not whole. */
  problems: string[];
  /** There is more to read at once. */
  hasMore: boolean;
};

type At = CloudBalancer & { at: FoundBalancer };

/** readBalancers reads what a cluster's load balancers measured since it was last read; null where the settings were changed meanwhile. */
export async function readBalancers(
  clusterId: string,
  asked: StoredMetrics,
  { driver, store }: { driver: CloudMetricsDriver; store: SampleStore },
  ctx: ReconcileContext,
): Promise<Pass | null> {
  const all = await selectBalancers(ctx.db, clusterId);
  const { found, problems } = await driving(() =>
    driver.find([...new Set(all.map((each) => each.address))], ctx.signal),
  );
  await ctx.passed("found");
  const there = whereFound(all, found);
  const lost = whereLost(all, problems);
  const fresh = there.filter((each) => each.kind !== each.at.kind).map((each) => readOf(each, null, ""));
  if (!(await recordMeasured(clusterId, asked, { measured: [], read: [...lost, ...fresh], store }, ctx))) return null;
  const stuck = new Map<string, string>();
  const isOver = endsAfter(passMs);
  const pass = (hasMore: boolean): Pass => {
    const leaving = new Set(all.filter((each) => each.isLeaving).map((each) => each.id));
    const told = [...lost.map(({ id, problem }) => [id, problem] as const), ...stuck];
    return {
      total: all.length,
      problems: told.flatMap(([id, problem]) => (leaving.has(id) ? [] : [problem])),
      hasMore,
    };
  };
  for (const { balancers, spans } of planSpans(there, ctx.now()))
    for (const span of spans) {
      if (isOver()) return pass(true);
      const ats = balancers.map((each) => each.at);
      const series = Map.groupBy(await driving(() => driver.read(ats, span, ctx.signal)), (each) => each.address);
      await ctx.passed("read");
      const measured = balancers.flatMap(({ id, address }) =>
        (series.get(address) ?? []).map((each) => ({ balancerId: id, series: each })),
      );
      const read = balancers.map((balancer) => {
        const problem = stuck.get(balancer.id) ?? problemOf(series.get(balancer.address) ?? []);
        if (problem) stuck.set(balancer.id, problem);
        // Past a gap nothing counts as read, so that it is asked for again.
        return readOf(balancer, problem ? null : span, problem);
      });
      if (!(await recordMeasured(clusterId, asked, { measured, read, store }, ctx))) return null;
      await ctx.passed("written");
    }
  return pass(false);
}

function whereFound(all: readonly CloudBalancer[], found: readonly FoundBalancer[]): At[] {
  const byAddress = new Map(found.map((each) => [each.address, each]));
  return all.flatMap((balancer) => {
    const at = byAddress.get(balancer.address);
    return at ? [{ ...balancer, at }] : [];
  });
}

function whereLost(all: readonly CloudBalancer[], problems: readonly BalancerProblem[]): BalancerRead[] {
  const byAddress = new Map(problems.map((each) => [each.address, each.message]));
  return all.flatMap(({ id, address }) => {
    const problem = byAddress.get(address);
    return problem === undefined ? [] : [{ id, kind: "", metrics: 0, readUntil: null, problem }];
  });
}

function readOf({ id, at }: At, span: Span | null, problem: string): BalancerRead {
  const readUntil = span && new Date(Math.min(span.to.getTime(), span.quietBefore.getTime()));
  return { id, kind: at.kind, metrics: at.metrics.length, readUntil, problem };
}

function problemOf(series: readonly MeasuredSeries[]): string {
  return series.find((each) => each.problem !== "")?.problem ?? "";
}

function endsAfter(ms: number): () => boolean {
  const began = performance.now();
  return () => performance.now() - began > ms;
}
