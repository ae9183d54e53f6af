import { inTransaction } from "@fairlead/db";
import { conflict } from "@fairlead/domain";
import type { DeleteCluster } from "@fairlead/domain/cluster";
import { selectReportingAgents } from "../agent/reporting-agents.sql.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { checkGeneration } from "../control/generation.ts";
import { lockRow } from "../control/lock-row.sql.ts";
import { recordChange } from "../control/record-change.ts";
import { notifyAgents } from "../gateway/config/notify-agents.sql.ts";
import { findCloudLeftovers, refuseWith } from "./cloud-leftovers.sql.ts";
import { loadCluster } from "./get.ts";

/**
 * deleteCluster deletes a cluster with its pools, tokens and silent nodes. It is refused while the cluster still
 * exposes something or an agent still reports: those would keep running unmanaged. It is also refused while a cloud
 * still has its addresses, unless they are to be forgotten; then the audit log lists them.
 */
export async function deleteCluster(
  ctx: ServiceContext,
  id: string,
  expectedGeneration?: number,
  { forgetCloudAddresses = false }: Pick<DeleteCluster, "forgetCloudAddresses"> = {},
): Promise<void> {
  authorize(ctx, "cluster:write");
  await inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, "cluster", ctx.organizationId, id);
    const before = await loadCluster(tx, ctx.organizationId, id);
    checkGeneration("cluster", before.generation, expectedGeneration);
    if (before.exposureCount > 0)
      throw conflict(
        `The cluster ${before.name} still has ${before.exposureCount} ${before.exposureCount === 1 ? "exposure" : "exposures"}; delete what it exposes first.`,
      );
    const spanning = await tx.exposure.findFirst({
      where: { deletedAt: null, placements: { array_contains: [{ clusterId: id }] } },
      select: { name: true },
    });
    if (spanning)
      throw conflict(
        `The exposure ${spanning.name} lists ${before.name} in its placements, and will span it when it is resumed: remove the placement first.`,
      );
    const lent = await tx.virtualAddress.findFirst({
      where: { pool: { clusterId: id } },
      select: { loadBalancer: { select: { exposure: { select: { name: true } } } }, pool: { select: { name: true } } },
    });
    if (lent)
      throw conflict(
        `The pool ${lent.pool.name} of ${before.name} has the address of ${lent.loadBalancer?.exposure.name ?? "an exposure"}, which was moved to another cluster. Delete that exposure, or move it to another pool, first.`,
      );
    const leftovers = await findCloudLeftovers(tx, id);
    if (leftovers && !forgetCloudAddresses) throw refuseWith(leftovers, before);
    const agents = await selectReportingAgents(tx, ctx.organizationId, { clusterId: id });
    const reporting = agents.find((agent) => agent.speaks);
    if (reporting)
      throw conflict(
        `Agents of ${before.name} still report, such as the one on ${reporting.nodeName}. Stop or revoke them, then delete the cluster.`,
      );
    await tx.cluster.delete({ where: { id } });
    await notifyAgents(
      tx,
      agents.map((agent) => agent.id),
    );
    await recordChange(tx, ctx, {
      action: "cluster.delete",
      subjectKind: "cluster",
      subjectId: id,
      subjectName: before.name,
      clusterId: id,
      before: leftovers ? { ...before, forgottenInCloud: leftovers } : before,
      after: null,
    });
  });
}
