import type { NewCondition } from "../exposure/condition.ts";
import type { ReplicaRole } from "./load-balancer-states.ts";
import type { CarriedReplica } from "./summarize-carried.ts";

type CostReplica = CarriedReplica & { role: ReplicaRole };

/**
 * costCondition is the condition of an exposure whose connections from outside should be placed by cost: next to each balancer,
 * an agent of the role adaptive must calculate the costs. null without any placed balancer.
 */
export function costCondition(replicas: readonly CostReplica[]): NewCondition | null {
  const type = "ByCost";
  const balancers = replicas.filter((each) => each.role === "balancer" && each.nodeName !== null);
  if (balancers.length === 0) return null;
  const beside = new Map(replicas.filter((each) => each.role === "adaptive").map((each) => [each.nodeName, each]));
  for (const { nodeName } of balancers) {
    const problem = problemOf(beside.get(nodeName));
    if (problem === "") continue;
    const message = `The balancer on ${nodeName} places connections by weight instead of by cost: ${problem}`;
    return { type, status: "false", reason: "NotByCost", message };
  }
  if (balancers.some(({ nodeName }) => beside.get(nodeName)?.ready === null))
    return {
      ...{ type, status: "unknown", reason: "NotReported" },
      message: "Not all agents of the role adaptive next to balancers have reported yet.",
    };
  return { type, status: "true", reason: "ByCost", message: "Connections from outside are placed by cost." };
}

function problemOf(agent: CostReplica | undefined): string {
  if (!agent) return "its node has no agent of the role adaptive. Add one there.";
  if (agent.ready !== null && !agent.speaks)
    return "the agent of the role adaptive there is silent. Check that it runs.";
  return agent.ready === false ? `the agent of the role adaptive there reports a problem. ${agent.message}` : "";
}
