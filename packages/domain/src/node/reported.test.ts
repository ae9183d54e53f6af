import { expect, it } from "vitest";
import type { NodeDetail } from "./node.ts";
import { nodeParts, pickParts, splitReported, withReported } from "./reported.ts";

const enrolledAt = new Date("2026-11-20T12:00:00Z");
const later = new Date("2026-11-20T12:00:05Z");

function nodeAt(at: Date, figure: number, message = "Runs revision 1."): NodeDetail {
  return {
    id: "node_1",
    clusterId: "clu_1",
    clusterName: "demo",
    name: "edge-1",
    settings: { sampleIntervalMs: 5_000, reportIntervalMs: 5_000, excludedInterfaces: [] },
    drainingSince: null,
    generation: 1,
    state: "in-sync",
    message,
    reportIntervalMs: 5_000,
    lastReportAt: at,
    agentVersion: "0.1.0",
    cpuUtilizationRatio: figure,
    memoryUsedRatio: figure,
    load1: figure,
    cpuCount: 2,
    roundTripsTo: [],
    kernel: "6.12",
    createdAt: enrolledAt,
    updatedAt: enrolledAt,
    facts: null,
    agents: [
      {
        id: "agt_1",
        nodeId: "node_1",
        roles: ["balancer"],
        allowedRoles: ["balancer"],
        version: "0.1.0",
        state: "in-sync",
        desiredRevision: 1,
        observedRevision: 1,
        configError: "",
        warnings: [],
        corrections: figure,
        droppedReports: figure,
        reportIntervalMs: 5_000,
        lastReportAt: at,
        certificateExpiresAt: enrolledAt,
        enrolledAt,
        revokedAt: null,
      },
    ],
    balancers: [
      {
        agentId: "agt_1",
        engine: "ebpf",
        engineReason: "",
        refusedEngines: [],
        address: "192.0.2.1",
        observedAt: at,
        reportIntervalMs: 5_000,
        replicas: [
          { loadBalancerId: "lb_1", loadBalancerName: "web", ready: true, message: "", liveConnections: figure },
        ],
        replicaCount: 1,
      },
    ],
    announced: { offered: 0, draining: 0, withdrawn: 0, alone: [], aloneCount: 0 },
  };
}
const reportedOf = (node: NodeDetail) => splitReported(node).reported;

it("brings all that agents report up to date", () => {
  expect(withReported(nodeAt(enrolledAt, 1), reportedOf(nodeAt(later, 2)))).toEqual(nodeAt(later, 2));
});

it("rounds figures to the digits that a page shows, and one more", () => {
  const { reported } = splitReported(nodeAt(later, 0.33323518645125777));
  expect(reported).toMatchObject({ cpuUtilizationRatio: 0.3332, memoryUsedRatio: 0.3332, load1: 0.3332 });
});

it("has parts that change with all else, and only with that", () => {
  const { parts } = splitReported(nodeAt(enrolledAt, 1));
  expect(splitReported(nodeAt(later, 2)).parts).toEqual(parts);
  const { rest, ...others } = splitReported(nodeAt(later, 2, "Silent.")).parts;
  expect(rest).not.toEqual(parts.rest);
  expect({ ...others, rest: parts.rest }).toEqual(parts);
});

it("has each field in exactly one part", () => {
  const node = nodeAt(enrolledAt, 1);
  const fields = nodeParts.flatMap((part) => Object.keys(pickParts(node, [part])));
  expect(fields.sort()).toEqual(Object.keys(node).sort());
  expect(pickParts(node, nodeParts)).toEqual(node);
});

it("keeps an agent that the report lacks as it was", () => {
  const { agents, balancers } = withReported(nodeAt(enrolledAt, 1), {
    ...reportedOf(nodeAt(later, 2)),
    agents: [],
    balancers: [],
  });
  expect({ agents, balancers }).toEqual({
    agents: nodeAt(enrolledAt, 1).agents,
    balancers: nodeAt(enrolledAt, 1).balancers,
  });
});
