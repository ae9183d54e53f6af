import { invalid } from "@fairlead/domain";
import type { Cluster } from "@fairlead/domain/cluster";
import { findDeliveryOfKeysProblem, type Strategy } from "@fairlead/domain/exposure";

/** checkKeyDelivery refuses managed ticket keys where agents can't give them to servers. */
export function checkKeyDelivery({ kind }: Pick<Cluster, "kind">, strategy: Strategy): void {
  const problem = findDeliveryOfKeysProblem(strategy, kind);
  if (problem) throw invalid(problem.path, problem.message);
}
