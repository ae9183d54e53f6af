import type { Strategy } from "../exposure/strategy.ts";

/** InstanceBalancer is what each instance has in front of it where that is a balancer of our own. */
export type InstanceBalancer = {
  replicas: number;
  /** Only a spec that was stored before there was a choice has none. */
  poolId: string | null;
};

export const replicasUsually = 2;

/** instanceBalancerOf is what a strategy gives each instance of our own; null where it is somebody else's, or there is none. */
export function instanceBalancerOf(strategy: Strategy): InstanceBalancer | null {
  if (strategy.type !== "per-replica" || strategy.addressing !== "balancer") return null;
  const { replicas = replicasUsually, poolId = null } = strategy;
  return { replicas, poolId };
}

export type AddressingProblem = { path: ["strategy", "poolId" | "replicas"]; message: string };

/** findAddressingProblem says which field is missing for an addressing, or of no use to it; null where all is well. */
export function findAddressingProblem(strategy: Strategy): AddressingProblem | null {
  if (strategy.type !== "per-replica") return null;
  const { addressing, poolId, replicas } = strategy;
  if (addressing === "balancer")
    return poolId === undefined
      ? {
          path: ["strategy", "poolId"],
          message:
            "the addressing balancer takes an address for each instance from a pool: choose one of the cluster's",
        }
      : null;
  // One for all of them has a pool and replicas too.
  if (addressing === "shared-sni") return null;
  const path = poolId !== undefined ? "poolId" : replicas !== undefined ? "replicas" : null;
  return path === null
    ? null
    : {
        path: ["strategy", path],
        message: `only balancers of our own have it, not the addressing ${addressing}: leave it out, or choose the addressing balancer`,
      };
}
