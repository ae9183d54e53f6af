import { expect, it } from "vitest";
import { adaptiveAgentCure, describeAdaptive } from "./describe-adaptive.ts";

const node = (nodeName: string, problem = "", replicaId: string | null = `rep_${nodeName}`) => ({
  ...{ nodeName, problem, replicaId },
});

it.each([
  ["no nodes", [], "The cluster has no nodes yet."],
  ["one node", [node("a")], "Distributes connections on 1 of 1 node."],
  ["nodes that all do", [node("a"), node("b")], "Distributes connections on 2 of 2 nodes."],
  [
    "an agent with a problem before a node without an agent",
    [node("a", "It has no agent.", null), node("b", "No backend is up."), node("c")],
    "Distributes connections on 1 of 3 nodes. b: No backend is up.",
  ],
])("describes %s", (_, nodes, want) => {
  expect(describeAdaptive(nodes)).toBe(want);
});

it("has another cure for nodes of a lab, whose topology has all agents", () => {
  expect(adaptiveAgentCure("kubernetes", "node")).toBe("Add one.");
  expect(adaptiveAgentCure("machines", "cluster")).toBe("Add one to each node from which clients connect.");
  expect(adaptiveAgentCure("lab", "node")).toContain("the lab's topology");
  expect(adaptiveAgentCure("lab", "cluster")).toContain("fairlead-agent lab status");
});
