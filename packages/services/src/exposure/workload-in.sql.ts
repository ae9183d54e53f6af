import { Prisma } from "@fairlead/db";

/** workloadIn is the workload of an exposure "e" in one of its clusters: its placement there may have its own. */
export function workloadIn(clusterId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`coalesce((SELECT p -> 'workload' FROM jsonb_array_elements(e.placements) AS p WHERE p ->> 'clusterId' = ${clusterId}), e.workload)`;
}

/** shareIn is the share of an exposure "e" in one of its clusters, in percent; null if it spans no others. */
export function shareIn(clusterId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT (p ->> 'share')::int FROM jsonb_array_elements(e.placements) AS p WHERE p ->> 'clusterId' = ${clusterId})`;
}

/**
 * announcedShareOf is the share that a load balancer "l" of an exposure "e" announces: its last one while it drains, and all in the only
 * cluster that is left meanwhile. If some had none, routers would send every replica the same share.
 */
export const announcedShareOf = Prisma.sql`CASE WHEN l.deleted_at IS NOT NULL THEN l.share ELSE coalesce(${shareIn(Prisma.sql`l.cluster_id`)}, (
  SELECT 100 FROM load_balancer o WHERE o.exposure_id = e.id AND o.deleted_at IS NOT NULL AND o.share IS NOT NULL LIMIT 1)) END`;
