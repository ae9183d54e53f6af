import { addressings, isInstanceBalancer } from "../exposure/strategies.ts";
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
  if (strategy.type !== "per-replica" || !isInstanceBalancer(strategy.addressing)) return null;
  const { replicas = replicasUsually, poolId = null } = strategy;
  return { replicas, poolId };
}

export type AddressingProblem = { path: ["strategy", "poolId" | "replicas"]; message: string };

/** findAddressingProblem returns which field an addressing lacks or doesn't use, or null. */
export function findAddressingProblem(strategy: Strategy): AddressingProblem | null {
  if (strategy.type !== "per-replica") return null;
  const { addressing, poolId, replicas } = strategy;
  if (isInstanceBalancer(addressing))
    return poolId === undefined
      ? {
          path: ["strategy", "poolId"],
          message: `the addressing ${addressing} takes an address for each instance from a pool: choose one of the cluster's`,
        }
      : null;
  // A shared balancer of ours has a pool and replicas too.
  if (addressings[addressing].madeBy === "agents") return null;
  const path = poolId !== undefined ? "poolId" : replicas !== undefined ? "replicas" : null;
  return path === null
    ? null
    : {
        path: ["strategy", path],
        message: `only our own balancers have it, not the addressing ${addressing}: leave it out, or choose the addressing balancer`,
      };
}
