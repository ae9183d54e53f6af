import { Prisma } from "@fairlead/db";

/** workloadIn is the workload of an exposure "e" in one of its clusters: its placement there may have its own. */
export function workloadIn(clusterId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`coalesce((SELECT p -> 'workload' FROM jsonb_array_elements(e.placements) AS p WHERE p ->> 'clusterId' = ${clusterId}), e.workload)`;
}

/** shareIn is the share of an exposure "e" in one of its clusters, in percent; null if it spans no others. */
export function shareIn(clusterId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT (p ->> 'share')::int FROM jsonb_array_elements(e.placements) AS p WHERE p ->> 'clusterId' = ${clusterId})`;
}
