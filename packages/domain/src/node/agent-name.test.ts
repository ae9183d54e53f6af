import { expect, it } from "vitest";
import { agentName } from "./agent-name.ts";

it.each([
  ["one role", ["balancer"], "The agent of the role balancer on node-1"],
  ["several roles", ["balancer", "speaker"], "The agent of the roles balancer, speaker on node-1"],
  ["no role yet", [], "The agent of node-1"],
])("names an agent with %s", (_name, roles, want) => {
  expect(agentName("node-1", roles)).toBe(want);
});
