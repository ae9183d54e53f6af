import { expect, it } from "vitest";
import { costCondition } from "./cost-condition.ts";
import type { ReplicaRole } from "./load-balancer-states.ts";
import type { CarriedReplica } from "./summarize-carried.ts";

const replica = (role: ReplicaRole, nodeName: string | null, fields: Partial<CarriedReplica> = {}) => ({
  ...{ id: `${role} ${nodeName}`, role, nodeName, speaks: true, ready: true, message: "" },
  ...fields,
});
const balancer = replica("balancer", "n1");
const byWeight = "The balancer on n1 places connections by weight instead of by cost: ";

it.each<[string, ReturnType<typeof replica>[], string, string]>([
  [
    "an agent next to each balancer",
    [balancer, replica("adaptive", "n1")],
    "ByCost",
    "Connections from outside are placed by cost.",
  ],
  [
    "an agent on another node only",
    [balancer, replica("adaptive", "n2")],
    "NotByCost",
    `${byWeight}its node has no agent of the role adaptive. Add one there.`,
  ],
  [
    "a silent agent",
    [balancer, replica("adaptive", "n1", { speaks: false })],
    "NotByCost",
    `${byWeight}the agent of the role adaptive there is silent. Check that it runs.`,
  ],
  [
    "an agent with a problem",
    [balancer, replica("adaptive", "n1", { ready: false, message: "No backend is up." })],
    "NotByCost",
    `${byWeight}the agent of the role adaptive there reports a problem. No backend is up.`,
  ],
  [
    "an agent that hasn't reported",
    [balancer, replica("adaptive", "n1", { speaks: false, ready: null })],
    "NotReported",
    "Not all agents of the role adaptive next to balancers have reported yet.",
  ],
])("with %s", (_, replicas, reason, message) => {
  expect(costCondition(replicas)).toMatchObject({ type: "ByCost", reason, message });
});

it("is absent while no balancer is placed", () => {
  expect(costCondition([replica("adaptive", "n1"), replica("balancer", null)])).toBeNull();
});
