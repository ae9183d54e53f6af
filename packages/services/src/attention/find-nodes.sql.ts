import { Prisma, type Tx } from "@fairlead/db";
import type { NodeState } from "@fairlead/domain/node";
import { inCluster, rankFound, type Scope } from "./rank-found.sql.ts";

export type NodeRow = {
  id: string;
  name: string;
  clusterId: string;
  clusterName: string;
  role: string;
  state: NodeState;
  configError: string;
  desiredRevision: number;
  observedRevision: number;
  lastReportAt: Date | null;
};

/** findNodes finds nodes with an agent that is silent, never reported or doesn't run its config: the worst agent of each. */
export function findNodes(tx: Tx, scope: Scope) {
  return rankFound<NodeRow>(
    tx,
    scope,
    Prisma.sql`
      SELECT DISTINCT ON (a."nodeId") a."nodeId" AS id, n.name, n.cluster_id AS "clusterId", c.name AS "clusterName",
        a.roles[1] AS role, a.state, a."configError", a."desiredRevision", a."observedRevision", a."lastReportAt", began.since,
        CASE
          WHEN a.state = 'silent' THEN 'node-silent'
          WHEN a.state = 'never-seen' THEN 'node-never-reported'
          WHEN a."configError" <> '' THEN 'config-refused'
          ELSE 'node-out-of-sync'
        END AS kind
      FROM agent_view a
      JOIN node n ON n.id = a."nodeId"
      JOIN cluster c ON c.id = n.cluster_id
      LEFT JOIN node_config f ON f.agent_id = a.id
      CROSS JOIN LATERAL (
        SELECT CASE a.state
          WHEN 'silent' THEN a."lastReportAt" WHEN 'never-seen' THEN a."enrolledAt" ELSE coalesce(f.compiled_at, a."enrolledAt")
        END AS since
      ) began
      WHERE a."organizationId" = ${scope.organizationId} AND ${inCluster("n.cluster_id", scope)}
        AND a.state IN ('silent', 'out-of-sync', 'never-seen') AND began.since <= ${scope.before}
      ORDER BY a."nodeId", array_position(ARRAY['silent', 'out-of-sync', 'never-seen'], a.state), began.since`,
  );
}
