import type { Db } from "@fairlead/db";

const most = 1_000;

/**
 * createMissingTasks creates a task for objects that have none, so that even one that was written without a verb is
 * reconciled. Objects with a task come due by themselves, so this is all that a full pass has left to do.
 */
export async function createMissingTasks(db: Db): Promise<number> {
  return db.$executeRaw`
    INSERT INTO reconcile_task (kind, object_id, due_at)
    SELECT kind, id, now() FROM (
      SELECT 'exposure' AS kind, e.id FROM exposure e
      WHERE NOT EXISTS (SELECT 1 FROM reconcile_task t WHERE t.kind = 'exposure' AND t.object_id = e.id)
      UNION ALL
      SELECT 'node', n.id FROM node n
      WHERE NOT EXISTS (SELECT 1 FROM reconcile_task t WHERE t.kind = 'node' AND t.object_id = n.id)
      UNION ALL
      SELECT 'experiment', e.id FROM experiment e
      WHERE e.state = 'running' AND NOT EXISTS (SELECT 1 FROM reconcile_task t WHERE t.kind = 'experiment' AND t.object_id = e.id)
      UNION ALL
      SELECT 'move', m.id FROM move m
      WHERE m.ended_at IS NULL AND NOT EXISTS (SELECT 1 FROM reconcile_task t WHERE t.kind = 'move' AND t.object_id = m.id)
      UNION ALL
      SELECT DISTINCT 'client-prefixes', n.cluster_id FROM agent a JOIN node n ON n.id = a.node_id
      WHERE 'adaptive' = ANY(a.roles) AND a.revoked_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM reconcile_task t WHERE t.kind = 'client-prefixes' AND t.object_id = n.cluster_id)
      UNION ALL
      SELECT 'cloud-route', r.cluster_id FROM cloud_route r
      WHERE NOT EXISTS (SELECT 1 FROM reconcile_task t WHERE t.kind = 'cloud-route' AND t.object_id = r.cluster_id)
      UNION ALL
      SELECT 'cloud-metrics', m.cluster_id FROM cloud_metrics m
      WHERE NOT EXISTS (SELECT 1 FROM reconcile_task t WHERE t.kind = 'cloud-metrics' AND t.object_id = m.cluster_id)
      UNION ALL
      SELECT 'kubernetes', k.cluster_id FROM kubernetes_access k
      WHERE NOT EXISTS (SELECT 1 FROM reconcile_task t WHERE t.kind = 'kubernetes' AND t.object_id = k.cluster_id)
      LIMIT ${most}
    ) AS missing
    ORDER BY kind, id
    ON CONFLICT DO NOTHING`;
}
