import type { ExposureDetail, SessionBackend } from "@fairlead/domain/exposure";
import { expect, it } from "vitest";
import { describeRotation } from "./describe-rotation.ts";
import { describeTickets, shortName } from "./describe-tickets.ts";
import { joinBackends, joinReplicas, nodesWithoutAgent } from "./join-backends.ts";
import { whyNotRotate } from "./why-not-rotate.ts";

const backend = (fields: Partial<SessionBackend>): SessionBackend => ({
  backendId: "bak_1",
  loadBalancerId: "lb_1",
  number: 1,
  takesConnections: true,
  message: "",
  agentId: "agt_1",
  nodeName: "node-1",
  tickets: "stable",
  ticketsMessage: "",
  names: [],
  ticketKey: null,
  observedAt: null,
  ...fields,
});
const named = (id: string, instance: string, address: string | null = "10.0.0.1") =>
  ({ id, instance, address, port: 443 }) as ExposureDetail["backends"][number];
const detail = (fields: Partial<NonNullable<ExposureDetail["session"]>>): ExposureDetail["session"] => ({
  ...{ message: "", key: null, ticketRotation: null, replicas: [], backends: [] },
  ...fields,
});

it("lists backends that accept no connections first, then those with outdated keys, each by instance", () => {
  const ticketKey = { name: "aa", createdAt: new Date(), revision: 1, outdatedSince: new Date(), problem: "" };
  const session = detail({
    backends: [
      backend({ backendId: "bak_10" }),
      backend({ backendId: "bak_2" }),
      backend({ backendId: "bak_3", ticketKey }),
      backend({ backendId: "bak_4", takesConnections: false }),
      backend({ backendId: "bak_1", takesConnections: false }),
    ],
  });
  const backends = [1, 2, 3, 4, 10].map((number) => named(`bak_${number}`, `web-${number}`));
  const order = joinBackends({ session, backends }).map((each) => each.instance);
  expect(order).toEqual(["web-1", "web-4", "web-3", "web-2", "web-10"]);
});

it("lists backends that take no connections first, and leaves out those that are gone", () => {
  const session = detail({
    backends: [
      backend({}),
      backend({ backendId: "bak_2", takesConnections: false }),
      backend({ backendId: "bak_3" }),
      backend({ backendId: "bak_gone" }),
    ],
  });
  const backends = [named("bak_1", "web-1"), named("bak_2", "web-2"), named("bak_3", "", null)];
  expect(joinBackends({ session, backends }).map((each) => each.instance)).toEqual(["web-2", "", "web-1"]);
  expect(joinBackends({ session: null, backends })).toEqual([]);
});

it("lists replicas at plain layer 4 first, with their nodes", () => {
  const replica = (replicaId: string, bySession: boolean) => ({
    ...{ replicaId, loadBalancerId: "lb_1", bySession, problem: "" },
    ...{ fallback: null, ticketsOutdatedSince: null, observedAt: null },
  });
  const session = detail({ replicas: [replica("rep_1", true), replica("rep_2", false)] });
  const replicas = [
    { id: "rep_1", agentId: "agt_1", nodeId: "nod_1", nodeName: "lb-1", reportIntervalMs: 5_000 },
    { id: "rep_2", agentId: null, nodeId: null, nodeName: null, reportIntervalMs: null },
  ] as ExposureDetail["replicas"];
  expect(joinReplicas({ session, replicas }).map((each) => [each.replicaId, each.nodeName, each.problem])).toEqual([
    ["rep_2", null, "No agent of the role balancer has a free place for it."],
    ["rep_1", "lb-1", ""],
  ]);
});

it("names each node without an agent once, and none whose node is unknown", () => {
  const without = (nodeName: string | null) => backend({ agentId: null, nodeName });
  expect(nodesWithoutAgent([without("b"), without("a"), without("b"), without(null), backend({})])).toEqual(["a", "b"]);
});

it("prefers what a replica reported to what a kind of ticket means", () => {
  expect(describeTickets({ tickets: "failed", ticketsMessage: "No certificate." })).toBe("No certificate.");
  expect(describeTickets({ tickets: "random", ticketsMessage: "" })).toContain("can't return by ticket");
  expect(describeTickets({ tickets: "stable", ticketsMessage: "" })).toBe("");
});

it("shortens the name of a key, but not to nothing", () => {
  expect(shortName("0123456789abcdef0123456789abcdef")).toBe("0123456789ab…");
  expect(shortName("0123")).toBe("0123");
});

it("starts no rotation of ticket keys while one runs, or while nothing may change", () => {
  const [exposure, idle] = [
    { deletedAt: null, pausedAt: null },
    { phase: "idle", isRequested: false },
  ] as const;
  expect(whyNotRotate(exposure, idle)).toBeNull();
  expect(whyNotRotate({ ...exposure, pausedAt: new Date() }, idle)).toContain("paused");
  expect(whyNotRotate({ ...exposure, deletedAt: new Date() }, idle)).toContain("deleted");
  expect(whyNotRotate(exposure, { ...idle, isRequested: true })).toContain("requested");
  expect(whyNotRotate(exposure, { ...idle, phase: "switching" })).toContain("running");
  expect(whyNotRotate(exposure, { ...idle, phase: "retiring" })).toContain("still accepted");
});

it.each([
  ["nginx", "Clients resume their sessions meanwhile."],
  ["envoy", "accept the former one for 24 hours more."],
  ["go", "Clients resume their sessions meanwhile."],
  ["haproxy", "if one fails, its clients need a full handshake."],
  ["node", "but needs one full handshake there."],
] as const)("says before a rotation what it means for clients of %s", (software, want) => {
  expect(describeRotation(software, 24)).toContain(want);
});
