import { Prisma, type Tx } from "@fairlead/db";
import type { DesiredExposure, DesiredLoadBalancer, Strategy } from "@fairlead/domain/exposure";
import { joinStrategy } from "./rows.ts";
import { shareIn } from "./workload-in.sql.ts";

type Row = Omit<DesiredExposure, "strategy" | "loadBalancers"> & { strategy: Strategy["type"]; parameters: object };

type LoadBalancerRow = Omit<DesiredLoadBalancer, "elsewhere" | "standsBy"> & {
  elsewhere: DesiredExposure["cluster"] | null;
  standsBy: boolean;
};

/**
 * loadDesiredExposure reads everything that a driver needs of one exposure; null when its row is gone. While it is paused,
 * that is the spec which was in effect then.
 */
export async function loadDesiredExposure(tx: Tx, id: string): Promise<DesiredExposure | null> {
  const [row] = await tx.$queryRaw<Row[]>`
    /* planned once */
    SELECT e.id, e.organization_id AS "organizationId", jsonb_build_object('id', c.id, 'name', c.name, 'kind', c.kind) AS cluster,
      e.name_in_effect AS name, e.workload, e.ports, e.strategy, e.parameters, e.health_check AS "healthCheck", e.labels, e.generation,
      e.deleted_at AS "deletedAt", coalesce(s.applied, false) AS applied
    FROM exposure_in_effect_view e
    JOIN cluster c ON c.id = e.cluster_id LEFT JOIN exposure_status s ON s.exposure_id = e.id
    WHERE e.id = ${id}`;
  if (!row) return null;
  const loadBalancers = await tx.$queryRaw<LoadBalancerRow[]>`
    /* planned once */
    SELECT l.id, l.name, l.kind, l.instance, l.instance_gone_at AS "instanceGoneAt", host(v.address) AS address, l.deleted_at AS "deletedAt",
      CASE WHEN l.address_of_id IS NOT NULL THEN jsonb_build_object('id', c.id, 'name', c.name, 'kind', c.kind) END AS elsewhere,
      ${shareIn(Prisma.sql`l.cluster_id`)} IS NOT DISTINCT FROM 0 AS "standsBy", coalesce(r.replicas, '[]'::jsonb) AS replicas
    FROM load_balancer l JOIN cluster c ON c.id = l.cluster_id JOIN exposure_in_effect_view e ON e.id = l.exposure_id
    LEFT JOIN virtual_address v ON v.load_balancer_id = coalesce(l.address_of_id, l.id)
    LEFT JOIN LATERAL (
      SELECT jsonb_agg(jsonb_build_object('id', id, 'role', role, 'ordinal', ordinal, 'nodeId', node_id, 'agentId', agent_id) ORDER BY role, ordinal) AS replicas
      FROM replica WHERE load_balancer_id = l.id
    ) r ON true
    WHERE l.exposure_id = ${id} ORDER BY l.address_of_id IS NOT NULL, l.id`;
  const { strategy, parameters, ...exposure } = row;
  return {
    ...exposure,
    strategy: joinStrategy(strategy, parameters),
    loadBalancers: loadBalancers.map(({ elsewhere, standsBy, ...each }) => ({
      ...each,
      ...(elsewhere ? { elsewhere } : {}),
      ...(standsBy ? { standsBy } : {}),
    })),
  };
}
