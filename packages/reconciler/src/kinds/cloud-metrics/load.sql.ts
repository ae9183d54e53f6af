import type { Tx } from "@fairlead/db";
import type { CloudMetricsPhase } from "@fairlead/domain/cloud";

export type StoredMetrics = {
  organizationId: string;
  clusterName: string;
  settings: unknown;
  credentials: string;
  generation: number;
  /** How it was found by these very settings; null for not yet. */
  phase: CloudMetricsPhase | null;
  message: string;
  since: Date | null;
  readAt: Date | null;
};

/** selectMetrics reads by what a cluster's cloud is asked and how that went; null for not at all. lock holds that against whoever changes it. */
export async function selectMetrics(
  tx: Tx,
  clusterId: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<StoredMetrics | null> {
  // Alone, because what is locked can't be on the outer side of a join.
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
  /** All minutes before are read. */
  readUntil: Date | null;
  /** As it was found before; empty for not. */
  kind: string;
  /** It is being deleted, so it may well be gone. */
  isLeaving: boolean;
};

/** selectBalancers are those of a cluster that a cloud runs, and has given a name. */
export async function selectBalancers(tx: Tx, clusterId: string): Promise<CloudBalancer[]> {
  return tx.$queryRaw<CloudBalancer[]>`
    SELECT id, name, address, "createdAt", "readUntil", kind, "isLeaving" FROM cloud_balancer_view
    WHERE "clusterId" = ${clusterId} ORDER BY id`;
}

export type BalancerRead = { id: string; kind: string; metrics: number; readUntil: Date | null; problem: string };

/** writeBalancers writes how far each is read. Of one that was deleted meanwhile there is nothing to say. */
export async function writeBalancers(tx: Tx, clusterId: string, read: readonly BalancerRead[]): Promise<void> {
  const column = <K extends keyof BalancerRead>(key: K) => read.map((each) => each[key]);
  await tx.$executeRaw`
    INSERT INTO cloud_metrics_balancer AS kept (load_balancer_id, cluster_id, kind, metrics, read_until, problem)
    SELECT l.id, ${clusterId}, said.kind, said.metrics, said.read_until, said.problem
    FROM unnest(${column("id")}::text[], ${column("kind")}::text[], ${column("metrics")}::int4[],
      ${column("readUntil")}::timestamptz[], ${column("problem")}::text[]) AS said (id, kind, metrics, read_until, problem)
    JOIN load_balancer l ON l.id = said.id ORDER BY l.id
    ON CONFLICT (load_balancer_id) DO UPDATE
    SET cluster_id = excluded.cluster_id, kind = excluded.kind, metrics = excluded.metrics, problem = excluded.problem,
      read_until = greatest(kept.read_until, excluded.read_until)
    WHERE (kept.cluster_id, kept.kind, kept.metrics, kept.read_until, kept.problem)
      IS DISTINCT FROM (excluded.cluster_id, excluded.kind, excluded.metrics, excluded.read_until, excluded.problem)`;
}
