import type { Strategy } from "../exposure/strategy.ts";

/** InstanceBalancer is a balancer of ours in front of a single instance. */
export type InstanceBalancer = {
  replicas: number;
  /** null only in specs stored before pools could be chosen. */
  poolId: string | null;
};

export const replicasUsually = 2;

/** instanceBalancerOf returns the balancer of ours that each instance gets; null if it gets another one, or none. */
export function instanceBalancerOf(strategy: Strategy): InstanceBalancer | null {
  if (strategy.type !== "per-replica" || strategy.addressing !== "balancer") return null;
  const { replicas = replicasUsually, poolId = null } = strategy;
  return { replicas, poolId };
}

export type AddressingProblem = { path: ["strategy", "poolId" | "replicas"]; message: string };

/** findAddressingProblem returns which field an addressing lacks or doesn't use, or null. */
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
  // A shared balancer has a pool and replicas too.
  if (addressing === "shared-sni") return null;
  const path = poolId !== undefined ? "poolId" : replicas !== undefined ? "replicas" : null;
  return path === null
    ? null
    : {
        path: ["strategy", path],
        message: `only our own balancers have it, not the addressing ${addressing}: leave it out, or choose the addressing balancer`,
      };
}
