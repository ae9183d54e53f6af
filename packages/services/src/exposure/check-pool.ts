import type { Tx } from "@fairlead/db";
import { DomainError, invalid } from "@fairlead/domain";
import type { AddressPool } from "@fairlead/domain/address-pool";
import type { Cluster } from "@fairlead/domain/cluster";
import type { Strategy } from "@fairlead/domain/exposure";
import { instanceBalancerOf } from "@fairlead/domain/load-balancer";
import { loadAddressPool } from "../address-pool/get.ts";
import { lockRow } from "../control/lock-row.sql.ts";

/**
 * checkPool returns the pool that a strategy takes its address from, if it takes one, and refuses one of another
 * cluster. A pool whose addresses are taken only later, one per instance, is locked until the spec is stored.
 */
export async function checkPool(
  tx: Tx,
  organizationId: string,
  cluster: Pick<Cluster, "id" | "name">,
  strategy: Strategy,
  /** The pool that it has already: after a move, its address stays in the pool of the cluster from before. */
  heldPoolId?: string,
): Promise<AddressPool | null> {
  if (!("poolId" in strategy) || strategy.poolId === undefined) return null;
  const path = ["strategy", "poolId"];
  const { poolId } = strategy;
  const load = async () => {
    if (instanceBalancerOf(strategy)) await lockRow(tx, "address_pool", organizationId, poolId, { mode: "share" });
    return loadAddressPool(tx, organizationId, poolId);
  };
  const pool = await load().catch((error: unknown) => {
    if (error instanceof DomainError && error.code === "not-found")
      throw invalid(path, `There is no address pool ${poolId}; choose one of ${cluster.name}.`);
    throw error;
  });
  if (pool.clusterId !== cluster.id && pool.id !== heldPoolId)
    throw invalid(path, `The pool ${pool.name} belongs to ${pool.clusterName}; choose one of ${cluster.name}.`);
  return pool;
}
