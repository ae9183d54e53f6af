import { Prisma, type Tx } from "@fairlead/db";
import { shareIn } from "./workload-in.sql.ts";

/** keepShares stores the shares of an exposure with its load balancers. One that is being removed keeps its last one. */
export async function keepShares(tx: Tx, exposureId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE load_balancer l SET share = ${shareIn(Prisma.sql`l.cluster_id`)} FROM exposure e
    WHERE e.id = ${exposureId} AND l.exposure_id = e.id AND l.deleted_at IS NULL
      AND l.share IS DISTINCT FROM ${shareIn(Prisma.sql`l.cluster_id`)}`;
}
