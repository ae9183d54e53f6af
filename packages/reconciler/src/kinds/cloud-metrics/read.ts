import type { CloudMetricsDriver, FoundBalancer, MeasuredSeries, Span } from "@fairlead/drivers";
import { driving } from "../../driving.ts";
import type { ReconcileContext } from "../../reconciler.ts";
import { type BalancerRead, type CloudBalancer, type StoredMetrics, selectBalancers } from "./load.sql.ts";
import { planSpans } from "./plan-spans.ts";
import { recordMeasured, type SampleStore } from "./record.ts";
import { Troubles } from "./troubles.ts";

/** Pass is the result of a pass over a cluster's balancers. */
export type Pass = {
  total: number;
  /** Balancers that aren't read, or only in part. */
  problems: { name: string; problem: string }[];
  /** There is more to read at once. */
  hasMore: boolean;
};

type At = CloudBalancer & { at: FoundBalancer };
type Way = {
  driver: CloudMetricsDriver;
  store: SampleStore;
  /** After this long the rest is left to the next pass; what was read is already stored. */
  passMs: number;
};

/**
 * readBalancers reads what a cluster's load balancers measured since the last read; null where the settings were
 * changed meanwhile.
 */
export async function readBalancers(
  clusterId: string,
  stored: StoredMetrics,
  way: Way,
  ctx: ReconcileContext,
): Promise<Pass | null> {
  const record = (measured: Parameters<typeof recordMeasured>[2]["measured"], read: BalancerRead[]) =>
    recordMeasured(clusterId, stored, { measured, read, store: way.store }, ctx);
  const all = await selectBalancers(ctx.db, clusterId);
  const troubles = new Troubles(all);
  const found = await find(all, way.driver, troubles, ctx);
  const lost = all.filter(({ id }) => troubles.of(id)).map(({ id }) => lostOf(id, troubles.of(id)));
  const fresh = found.filter(({ kind, at }) => kind !== at.kind).map((each) => readOf(each, null, ""));
  if (!(await record([], [...lost, ...fresh]))) return null;
  const began = performance.now();
  let hasRead = false;
  for (const { balancers, spans } of planSpans(found, ctx.now()))
    for (const span of spans) {
      if (performance.now() - began >= way.passMs && hasRead)
        return { total: all.length, problems: troubles.reportable(), hasMore: true };
      const series = await readSpan(balancers, span, way.driver, ctx);
      for (const { id, series: each } of series) troubles.add(id, problemOf(each));
      const measured = series.flatMap(({ id, series: each }) => each.map((one) => ({ balancerId: id, series: one })));
      // Nothing past a gap counts as read, so that it is queried again.
      const read = balancers.map((each) => readOf(each, troubles.of(each.id) ? null : span, troubles.of(each.id)));
      if (!(await record(measured, read))) return null;
      await ctx.passed("written");
      hasRead = true;
    }
  return { total: all.length, problems: troubles.reportable(), hasMore: false };
}

async function find(
  all: readonly CloudBalancer[],
  driver: CloudMetricsDriver,
  troubles: Troubles,
  ctx: ReconcileContext,
): Promise<At[]> {
  const addresses = [...new Set(all.map((each) => each.address))];
  const { found, problems } = await driving(() => driver.find(addresses, ctx.signal));
  await ctx.passed("found");
  const ats = new Map(found.map((each) => [each.address, each]));
  const lost = new Map(problems.map((each) => [each.address, each.message]));
  return all.flatMap((balancer) => {
    const at = ats.get(balancer.address);
    if (at) return [{ ...balancer, at }];
    troubles.add(balancer.id, lost.get(balancer.address) ?? "");
    return [];
  });
}

async function readSpan(
  balancers: readonly At[],
  span: Span,
  driver: CloudMetricsDriver,
  ctx: ReconcileContext,
): Promise<{ id: string; series: MeasuredSeries[] }[]> {
  const ats = balancers.map((each) => each.at);
  const read = Map.groupBy(await driving(() => driver.read(ats, span, ctx.signal)), (each) => each.address);
  await ctx.passed("read");
  return balancers.map(({ id, address }) => ({ id, series: read.get(address) ?? [] }));
}

function lostOf(id: string, problem: string): BalancerRead {
  return { id, kind: "", metrics: 0, readUntil: null, problem };
}

function readOf({ id, at }: At, span: Span | null, problem: string): BalancerRead {
  const readUntil = span && new Date(Math.min(span.to.getTime(), span.quietBefore.getTime()));
  return { id, kind: at.kind, metrics: at.metrics.length, readUntil, problem };
}

function problemOf(series: readonly MeasuredSeries[]): string {
  return series.find((each) => each.problem !== "")?.problem ?? "";
}
