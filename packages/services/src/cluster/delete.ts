import { inTransaction } from "@fairlead/db";
import { conflict } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../context.ts";
import { checkGeneration } from "../control/generation.ts";
import { lockRow } from "../control/lock-row.sql.ts";
import { recordChange } from "../control/record-change.ts";
import { loadCluster } from "./get.ts";

/** deleteCluster forgets an empty cluster. One that still exposes something is refused: its balancers would go on without us. */
export async function deleteCluster(ctx: ServiceContext, id: string, expectedGeneration?: number): Promise<void> {
  authorize(ctx, "cluster:write");
  await inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, "cluster", ctx.organizationId, id);
    const before = await loadCluster(tx, ctx.organizationId, id);
    checkGeneration("cluster", before.generation, expectedGeneration);
    if (before.exposureCount > 0)
      throw conflict(`The cluster ${before.name} still has ${before.exposureCount} exposures; delete them first.`);
    await tx.cluster.delete({ where: { id } });
    await recordChange(tx, ctx, {
      action: "cluster.delete",
      subjectKind: "cluster",
      subjectId: id,
      subjectName: before.name,
      clusterId: id,
      before,
      after: null,
    });
  });
}
