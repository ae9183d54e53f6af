import type { Agent, NodeDetail } from "@fairlead/domain/node";
import { expect, it } from "vitest";
import { currentState, describesMachine, whySilent } from "./current-state.ts";

const at = new Date("2026-11-20T12:00:00Z");
const after = (seconds: number) => at.getTime() + seconds * 1_000;

const agent: Agent = {
  id: "agt_1",
  nodeId: "node_1",
  roles: ["node"],
  allowedRoles: ["node"],
  version: "0.1.0",
  state: "in-sync",
  desiredRevision: 4,
  observedRevision: 4,
  configError: "",
  warnings: [],
  corrections: 0,
  droppedReports: 0,
  reportIntervalMs: 5_000,
  lastReportAt: at,
  certificateExpiresAt: at,
  enrolledAt: at,
  revokedAt: null,
};

const node: NodeDetail = {
  id: "node_1",
  clusterId: "clu_1",
  clusterName: "local",
  name: "one",
  settings: { sampleIntervalMs: 5_000, reportIntervalMs: 5_000, excludedInterfaces: [] },
  drainingSince: null,
  generation: 1,
  state: "in-sync",
  message: "Runs revision 4.",
  reportIntervalMs: 5_000,
  lastReportAt: at,
  agentVersion: "0.1.0",
  cpuUtilizationRatio: 0.1,
  memoryUsedRatio: 0.2,
  load1: 0.3,
  cpuCount: 2,
  kernel: "6.1",
  createdAt: at,
  updatedAt: at,
  facts: null,
  agents: [agent],
  balancers: [],
  roundTripsTo: [],
  announced: { offered: 0, draining: 0, withdrawn: 0, alone: [], aloneCount: 0 },
};

it("adds the current age to the message", () => {
  expect(currentState(node, after(7))).toEqual({
    state: "in-sync",
    message: "Runs revision 4; reported 7 s ago.",
  });
});

it("keeps the message of the server until hydration", () => {
  expect(currentState(node, 0).message).toBe("Runs revision 4.");
});

it("turns silent by itself when reports stop", () => {
  const current = currentState(node, after(20));
  expect(current).toMatchObject({ state: "silent" });
  expect(current.message).toContain("Silent for 20 s");
  expect(whySilent(node, current.state)).toBe("The node is silent. This is its last report.");
});

it("keeps a revoked node revoked, however old its last report", () => {
  const revoked: NodeDetail = { ...node, state: "revoked", agents: [{ ...agent, state: "revoked" }] };
  const current = currentState(revoked, after(600));
  expect(current.state).toBe("revoked");
  expect(whySilent(revoked, current.state)).toContain("revoked");
});

it("expects metrics of the machine from an agent with the role node, or while there is no agent", () => {
  const withRoles = (...roles: string[][]) => ({ agents: roles.map((each) => ({ ...agent, roles: each })) });
  expect(describesMachine(withRoles())).toBe(true);
  expect(describesMachine(withRoles(["balancer"], ["node"]))).toBe(true);
  expect(describesMachine(withRoles(["lab"]))).toBe(false);
});
