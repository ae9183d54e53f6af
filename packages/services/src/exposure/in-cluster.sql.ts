import { Prisma } from "@fairlead/db";

/** inCluster finds the exposures of a cluster, and those of others that span it. */
export function inCluster(clusterId: string | undefined): Prisma.Sql {
  if (clusterId === undefined) return Prisma.sql`true`;
  return Prisma.sql`("clusterId" = ${clusterId} OR id IN (SELECT exposure_id FROM load_balancer WHERE cluster_id = ${clusterId} AND address_of_id IS NOT NULL))`;
}
