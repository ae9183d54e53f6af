import type { Tx } from "@fairlead/db";
import {
  type AddressPool,
  type Cluster,
  DomainError,
  instanceBalancerOf,
  invalid,
  type Strategy,
} from "@fairlead/domain";
import { lockRow } from "../control/lock-row.sql.ts";
import { loadAddressPool } from "../pool/get.ts";

/**
 * checkPool answers the pool that a strategy takes its address from, if it takes one, and refuses one of another cluster.
 * One whose addresses are taken only later, as there are instances, stays until the wish is stored.
 */
export async function checkPool(
  tx: Tx,
  organizationId: string,
  cluster: Pick<Cluster, "id" | "name">,
  strategy: Strategy,
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
  if (pool.clusterId !== cluster.id)
    throw invalid(path, `The pool ${pool.name} belongs to ${pool.clusterName}; choose one of ${cluster.name}.`);
  return pool;
}
