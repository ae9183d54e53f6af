import type { Tx } from "@fairlead/db";
import type { CloudMetricsPhase } from "@fairlead/domain/cloud";

export type StoredMetrics = {
  organizationId: string;
  clusterName: string;
  settings: unknown;
  credentials: string;
  generation: number;
  /** The phase with these very settings; null if not read yet. */
  phase: CloudMetricsPhase | null;
  message: string;
  since: Date | null;
  readAt: Date | null;
};

/**
 * selectMetrics reads a cluster's metrics settings and the last result; null where there are none. lock holds the
 * settings against changes.
 */
export async function selectMetrics(
  tx: Tx,
  clusterId: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<StoredMetrics | null> {
  // A query of its own, because a locked table can't be on the outer side of a join.
  if (lock) await tx.$queryRaw`SELECT 1 FROM cloud_metrics WHERE cluster_id = ${clusterId} FOR UPDATE`;
  const [row] = await tx.$queryRaw<StoredMetrics[]>`
    SELECT c.organization_id AS "organizationId", c.name AS "clusterName", m.settings, m.credentials, m.generation, s.phase,
      coalesce(s.message, '') AS message, s.since, s.read_at AS "readAt"
    FROM cloud_metrics m JOIN cluster c ON c.id = m.cluster_id
    LEFT JOIN cloud_metrics_status s ON s.cluster_id = m.cluster_id AND s.generation = m.generation
    WHERE m.cluster_id = ${clusterId}`;
  return row ?? null;
}

export type CloudBalancer = {
  id: string;
  name: string;
  address: string;
  createdAt: Date;
  /** All minutes before this one are read. */
  readUntil: Date | null;
  /** As found before; empty if not found yet. */
  kind: string;
  /** It is being deleted, so the cloud may no longer have it. */
  isLeaving: boolean;
};

/** selectBalancers returns a cluster's cloud load balancers that have a name in the cloud. */
export async function selectBalancers(tx: Tx, clusterId: string): Promise<CloudBalancer[]> {
  return tx.$queryRaw<CloudBalancer[]>`
    SELECT id, name, address, "createdAt", "readUntil", kind, "isLeaving" FROM cloud_balancer_view
    WHERE "clusterId" = ${clusterId} ORDER BY id`;
}

export type BalancerRead = { id: string; kind: string; metrics: number; readUntil: Date | null; problem: string };

/** writeBalancers writes how far each is read. One that was deleted meanwhile is skipped. */
export async function writeBalancers(tx: Tx, clusterId: string, read: readonly BalancerRead[]): Promise<void> {
  const column = <K extends keyof BalancerRead>(key: K) => read.map((each) => each[key]);
  await tx.$executeRaw`
    INSERT INTO cloud_metrics_balancer AS kept (load_balancer_id, cluster_id, kind, metrics, read_until, problem)
    SELECT l.id, ${clusterId}, reads.kind, reads.metrics, reads.read_until, reads.problem
    FROM unnest(${column("id")}::text[], ${column("kind")}::text[], ${column("metrics")}::int4[],
      ${column("readUntil")}::timestamptz[], ${column("problem")}::text[]) AS reads (id, kind, metrics, read_until, problem)
    JOIN load_balancer l ON l.id = reads.id ORDER BY l.id
    ON CONFLICT (load_balancer_id) DO UPDATE
    SET cluster_id = excluded.cluster_id, kind = excluded.kind, metrics = excluded.metrics, problem = excluded.problem,
      read_until = greatest(kept.read_until, excluded.read_until)
    WHERE (kept.cluster_id, kept.kind, kept.metrics, kept.read_until, kept.problem)
      IS DISTINCT FROM (excluded.cluster_id, excluded.kind, excluded.metrics, excluded.read_until, excluded.problem)`;
}
