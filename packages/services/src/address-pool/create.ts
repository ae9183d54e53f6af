import { inTransaction } from "@fairlead/db";
import { conflict, newId } from "@fairlead/domain";
import { canonicalPrefix } from "@fairlead/domain/address";
import type { AddressPool, CreateAddressPool } from "@fairlead/domain/address-pool";
import { loadCluster } from "../cluster/get.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { lockRow } from "../control/lock-row.sql.ts";
import { markRouting } from "../control/mark-routing.sql.ts";
import { recordChange } from "../control/record-change.ts";
import { onDuplicate } from "../control/unique.ts";
import { findForeignOverlap, findOverlap } from "./find-overlap.sql.ts";
import { loadAddressPool } from "./get.ts";

/**
 * createAddressPool gives a cluster a prefix to allocate addresses from; it must not overlap the cluster's other pools.
 * An overlap with a pool of another cluster must be confirmed: both would give the same address to different services,
 * which is right only in separate networks.
 */
export async function createAddressPool(
  ctx: ServiceContext,
  { allowOverlap = false, ...input }: CreateAddressPool,
): Promise<AddressPool> {
  authorize(ctx, "address-pool:write");
  const prefix = canonicalPrefix(input.prefix);
  return inTransaction(ctx.db, async (tx) => {
    // One pool at a time for each cluster, so that the check below holds. The exclusion constraint is the second
    // safeguard.
    await lockRow(tx, "cluster", ctx.organizationId, input.clusterId, { path: ["clusterId"] });
    const cluster = await loadCluster(tx, ctx.organizationId, input.clusterId);
    const overlapping = await findOverlap(tx, cluster.id, prefix);
    if (overlapping)
      throw conflict(
        `${prefix} overlaps the pool ${overlapping.name} (${overlapping.prefix}) of ${cluster.name}; choose a prefix that overlaps no pool of the cluster.`,
        ["prefix"],
      );
    const foreign = allowOverlap ? null : await findForeignOverlap(tx, ctx.organizationId, cluster.id, prefix);
    if (foreign)
      throw conflict(
        `${prefix} overlaps the pool ${foreign.name} (${foreign.prefix}) of the cluster ${foreign.clusterName}. If both advertise it in one network, traffic reaches the wrong cluster. Choose another prefix, or confirm that they may overlap.`,
        ["allowOverlap"],
      );
    const id = newId("addressPool", ctx.now);
    await onDuplicate(
      tx.addressPool.create({ data: { ...input, id, organizationId: ctx.organizationId, prefix } }),
      ["name"],
      `${cluster.name} already has a pool named ${input.name}.`,
    );
    await markRouting(tx, cluster.id);
    await recordChange(tx, ctx, {
      action: "address-pool.create",
      subjectKind: "address-pool",
      subjectId: id,
      subjectName: input.name,
      clusterId: cluster.id,
      before: null,
      after: { ...input, prefix },
    });
    return loadAddressPool(tx, ctx.organizationId, id);
  });
}
