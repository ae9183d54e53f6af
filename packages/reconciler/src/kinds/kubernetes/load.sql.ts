import type { Tx } from "@fairlead/db";
import type { KubernetesPermissionSeen, KubernetesPhase } from "@fairlead/domain/kubernetes";

export type StoredAccess = {
  organizationId: string;
  clusterName: string;
  sealed: string;
  generation: number;
  /** The phase with this very access; null if not checked yet. */
  phase: KubernetesPhase | null;
  message: string;
  version: string;
  permissions: KubernetesPermissionSeen[];
  checkedAt: Date | null;
  since: Date | null;
};

/**
 * selectAccess reads a cluster's access and status; null for one that is no longer attached. lock holds the access
 * against changes.
 */
export async function selectAccess(
  tx: Tx,
  clusterId: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<StoredAccess | null> {
  // A query of its own, because a locked table can't be on the outer side of a join.
  if (lock) await tx.$queryRaw`SELECT 1 FROM kubernetes_access WHERE cluster_id = ${clusterId} FOR UPDATE`;
  const [row] = await tx.$queryRaw<StoredAccess[]>`
    SELECT c.organization_id AS "organizationId", c.name AS "clusterName", k.sealed, k.generation, s.phase,
      coalesce(s.message, '') AS message, coalesce(s.version, '') AS version, coalesce(s.permissions, '[]') AS permissions,
      s.checked_at AS "checkedAt", s.since
    FROM kubernetes_access k JOIN cluster c ON c.id = k.cluster_id
    LEFT JOIN kubernetes_status s ON s.cluster_id = k.cluster_id AND s.generation = k.generation
    WHERE k.cluster_id = ${clusterId}`;
  return row ?? null;
}
