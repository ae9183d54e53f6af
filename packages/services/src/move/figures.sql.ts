import type { Tx } from "@fairlead/db";
import type { MoveFigure, MoveFigures, MoveSide } from "@fairlead/domain/move";

type Of = { organizationId: string; exposureId: string; fromClusterId: string; toClusterId: string };
type SideRow = MoveSide & { clusterId: string; loadBalancerId: string; nodeIds: string[] };

const windowMs = 60_000;
const absent: MoveSide = { isReachable: true, isServing: false, backendsUp: 0 };

/** selectMoveFigures reads what is known of both sides, and measures the target since a moment, at most the last minute. */
export async function selectMoveFigures(tx: Tx, of: Of, since: Date | null, now: Date): Promise<MoveFigures> {
  const sides = await tx.$queryRaw<SideRow[]>`
    SELECT l.cluster_id AS "clusterId", l.id AS "loadBalancerId", coalesce(agents."nodeIds", '{}') AS "nodeIds",
      NOT coalesce(agents.silent, false) AS "isReachable", coalesce(s.backends_up, 0) AS "backendsUp",
      l.deleted_at IS NULL AND NOT coalesce(agents.silent, false) AND coalesce(s.replicas_ready, 0) > 0 AND coalesce(s.backends_up, 0) > 0 AS "isServing"
    FROM load_balancer l LEFT JOIN load_balancer_status s ON s.load_balancer_id = l.id
    LEFT JOIN LATERAL (
      SELECT bool_and(v.state IN ('silent', 'revoked')) AS silent, array_agg(v."nodeId") AS "nodeIds"
      FROM replica r JOIN agent_view v ON v.id = r.agent_id WHERE r.load_balancer_id = l.id AND r.role = 'balancer'
    ) agents ON true
    WHERE l.exposure_id = ${of.exposureId} AND l.instance IS NULL AND l.cluster_id = ANY(${[of.fromClusterId, of.toClusterId]}::text[])`;
  const target = sides.find((each) => each.clusterId === of.toClusterId);
  const source = sides.find((each) => each.clusterId === of.fromClusterId);
  const measured = target && since ? await measure(tx, of.organizationId, target, since, now) : nothing;
  return { source: toSide(source), target: toSide(target), ...measured };
}

function toSide(row: SideRow | undefined): MoveSide {
  if (!row) return absent;
  const { isReachable, isServing, backendsUp } = row;
  return { isReachable, isServing, backendsUp };
}

type Measured = Pick<MoveFigures, "errorPercent" | "latencyMsP99" | "cpuPercent">;
type Mean = { metric: string; value: number; sampleCount: number };
const nothing: Measured = { errorPercent: null, latencyMsP99: null, cpuPercent: null };

async function measure(tx: Tx, organizationId: string, target: SideRow, since: Date, now: Date): Promise<Measured> {
  const from = new Date(Math.max(since.getTime(), now.getTime() - windowMs));
  const means = await tx.$queryRaw<Mean[]>`
    SELECT s.metric, avg(p.value)::float8 AS value, count(*)::int AS "sampleCount" FROM series s
    JOIN sample p ON p.series_id = s.id AND p.at > ${from} AND p.at <= ${now}
    WHERE s.organization_id = ${organizationId} AND s.ended_at IS NULL AND (
      s.subject_id = ${target.loadBalancerId} AND s.metric IN ('packetsPerSecond', 'dropsPerSecond', 'latencyMsP99')
      OR s.subject_id = ANY(${target.nodeIds}::text[]) AND s.metric = 'cpuUtilizationRatio')
    GROUP BY s.id, s.metric`;
  const of = (metric: string) => means.filter((each) => each.metric === metric);
  return {
    errorPercent: errorsOf(of("packetsPerSecond"), of("dropsPerSecond")),
    latencyMsP99: worst(of("latencyMsP99")),
    cpuPercent: worst(of("cpuUtilizationRatio").map((each) => ({ ...each, value: each.value * 100 }))),
  };
}

/** Replicas report drops of each reason as a series of its own. */
function errorsOf(packets: Mean[], drops: Mean[]): MoveFigure {
  const dropped = sumOf(drops);
  const all = sumOf(packets) + dropped;
  if (all === 0) return null;
  return {
    value: (dropped / all) * 100,
    sampleCount: Math.max(...[...packets, ...drops].map((each) => each.sampleCount)),
  };
}

function sumOf(means: Mean[]): number {
  return means.reduce((sum, each) => sum + each.value, 0);
}

function worst(means: Mean[]): MoveFigure {
  const [first, ...others] = means;
  if (!first) return null;
  return others.reduce((most, each) => (each.value > most.value ? each : most), first);
}
