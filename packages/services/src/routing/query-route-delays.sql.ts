import { Prisma } from "@fairlead/db";
import {
  delayBoundsMs,
  delayQuantile,
  type QueryRouteDelays,
  type RouteDelay,
  type RouteDelays,
  type UpdatePhase,
  updatePhases,
} from "@fairlead/domain/routing";
import { loadCluster } from "../cluster/get.ts";
import { authorize, type ServiceContext } from "../context.ts";

type Bucket = { phase: UpdatePhase; isWithdrawal: boolean; bucket: number; count: number; msMax: number };

/** queryRouteDelays counts how long the phases of updates took that began in a span of time. */
export async function queryRouteDelays(ctx: ServiceContext, input: QueryRouteDelays): Promise<RouteDelays> {
  authorize(ctx, "cluster:read");
  // For a cluster of another organisation, an empty result would suggest that nothing happened.
  if (input.clusterId) await loadCluster(ctx.db, ctx.organizationId, input.clusterId);
  const ours = Prisma.sql`organization_id = ${ctx.organizationId} AND ${
    input.clusterId ? Prisma.sql`cluster_id = ${input.clusterId}` : Prisma.sql`true`
  }`;
  const buckets = await ctx.db.$queryRaw<Bucket[]>`
    SELECT phase, is_withdrawal AS "isWithdrawal", bucket, sum(count)::float8 AS count, max(ms_max) AS "msMax" FROM (
      SELECT phase, is_withdrawal, width_bucket(ms::float8, ${delayBoundsMs}::float8[]) AS bucket, count(*), max(ms::float8) AS ms_max
      FROM route_update, jsonb_each_text(phases) AS took (phase, ms)
      WHERE ${ours} AND began_at >= ${input.from} AND began_at < ${input.to} GROUP BY 1, 2, 3
      UNION ALL
      SELECT phase, is_withdrawal, bucket, count, ms_max FROM route_delay
      WHERE ${ours} AND hour >= date_trunc('hour', ${input.from}::timestamptz, 'UTC') AND hour < ${input.to}
    ) AS counted GROUP BY 1, 2, 3`;
  const delays = updatePhases.flatMap((phase) =>
    [false, true].flatMap((isWithdrawal) =>
      toDelay(
        phase,
        isWithdrawal,
        buckets.filter((each) => each.phase === phase && each.isWithdrawal === isWithdrawal),
      ),
    ),
  );
  return { boundsMs: [...delayBoundsMs], delays };
}

function toDelay(phase: UpdatePhase, isWithdrawal: boolean, counted: Bucket[]): RouteDelay[] {
  if (counted.length === 0) return [];
  const buckets = new Array<number>(delayBoundsMs.length + 1).fill(0);
  for (const { bucket, count } of counted) buckets[bucket] = count;
  const msMax = Math.max(...counted.map((each) => each.msMax));
  return [
    {
      phase,
      isWithdrawal,
      count: buckets.reduce((sum, each) => sum + each, 0),
      buckets,
      msP50: delayQuantile(buckets, 0.5, msMax),
      msP99: delayQuantile(buckets, 0.99, msMax),
      msMax,
    },
  ];
}
