import { describe, expect, it } from "vitest";
import type { BalancerReport, ReportedService } from "./balancer-report.ts";
import type { StoredBalancer, StoredReplica } from "./balancer-status.sql.ts";
import { judgeBalancer } from "./judge-balancer.ts";

const report = (...services: ReportedService[]): BalancerReport => ({
  engine: "tcx",
  engineReason: "It suits.",
  refused: [],
  address: "10.9.0.1",
  flowAddress: "10.9.0.1:7444",
  services,
});
const service = (fields: Partial<ReportedService> = {}): ReportedService => ({
  loadBalancerId: "lb_1",
  address: "192.0.2.1",
  ready: true,
  message: "",
  backends: [{ id: "bak_1", health: "up", message: "", since: null, liveConnections: 2 }],
  clients: null,
  session: null,
  ...fields,
});
const replica: StoredReplica = {
  id: "rep_1",
  loadBalancerId: "lb_1",
  exposureId: "exp_1",
  status: { ready: true, message: "" },
  backends: new Map([["bak_1", { health: "up", message: "" }]]),
  session: null,
};
const { engine, engineReason, address, flowAddress } = report();
const stored = (fields: Partial<StoredReplica> = {}): StoredBalancer => ({
  agentId: "agt_1",
  lastReport: { engine, engineReason, address, flowAddress, loadBalancerIds: ["lb_1"] },
  replicas: [{ ...replica, ...fields }],
});
const judge = (balancer: BalancerReport, before = stored()) => judgeBalancer(before, balancer, "node_1");

describe("how a replica places connections by TLS session", () => {
  const session = { problem: "", fallback: null, address: "10.9.0.1:7447", ticketRevision: 2, backends: [] };
  const { problem, address, ticketRevision } = session;
  const fallback = "";

  it.each<[string, ReportedService["session"], StoredReplica["session"], Partial<ReturnType<typeof judge>>]>([
    [
      "is stored",
      session,
      { problem, fallback, address, ticketRevision },
      { sessions: [{ ...session, replicaId: "rep_1" }], exposureIds: [], sessionsMoved: [] },
    ],
    [
      "is news for its exposure and for backends at first",
      session,
      null,
      { exposureIds: ["exp_1"], sessionsMoved: ["lb_1"] },
    ],
    [
      "is news for backends at another address",
      session,
      { problem, fallback, address: "10.9.0.2:7447", ticketRevision },
      { exposureIds: [], sessionsMoved: ["lb_1"] },
    ],
    [
      "is news for its exposure with another problem",
      session,
      { problem: "Linux is too old.", fallback: "plain", address, ticketRevision },
      { exposureIds: ["exp_1"], sessionsMoved: [] },
    ],
    [
      "is news for its exposure with another fallback",
      { ...session, problem: "Linux is too old.", fallback: "proxy" },
      { problem: "Linux is too old.", fallback: "plain", address, ticketRevision },
      { exposureIds: ["exp_1"], sessionsMoved: [] },
    ],
    [
      "is news for its exposure with newer names of ticket keys",
      session,
      { problem, fallback, address, ticketRevision: 1 },
      { exposureIds: ["exp_1"], sessionsMoved: [] },
    ],
    [
      "is forgotten when it no longer does",
      null,
      { problem, fallback, address, ticketRevision },
      { withoutSession: ["rep_1"], sessionsMoved: ["lb_1"] },
    ],
  ])("%s", (_, reported, before, want) => {
    expect(judge(report(service({ session: reported })), stored({ session: before }))).toMatchObject(want);
  });
});

describe("a balancer's report", () => {
  it("concerns no exposure when nothing changed", () => {
    expect(judge(report(service()))).toMatchObject({
      replicas: [],
      exposureIds: [],
      letGoOf: [],
      flowAddressChanged: false,
      looksDifferent: false,
    });
  });

  it.each<[string, BalancerReport, StoredBalancer, { ready: boolean; message: string }]>([
    ["for the first time", report(service()), stored({ status: null }), { ready: true, message: "" }],
    [
      "when one of its ports is not ready",
      report(service(), service({ ready: false, message: "None of its 1 backends is up." })),
      stored(),
      { ready: false, message: "None of its 1 backends is up." },
    ],
    [
      "when one of its ports is carried as before",
      report(service(), service({ message: "It is carried as before: the port is in use." })),
      stored(),
      { ready: true, message: "It is carried as before: the port is in use." },
    ],
    ["when it leaves a balancer out", report(), stored(), { ready: false, message: "Its agent doesn't carry it yet." }],
    [
      "when it has no engine",
      { ...report(), engine: "", engineReason: "No engine suits." },
      stored(),
      { ready: false, message: "No engine suits." },
    ],
  ])("is written for its replica %s", (_, balancer, before, want) => {
    const { replicas, exposureIds } = judge(balancer, before);
    expect([replicas, exposureIds]).toEqual([[{ id: "rep_1", nodeId: "node_1", ...want }], ["exp_1"]]);
  });

  it("of a backend behind two ports has the worse health of both, and the sum of its connections", () => {
    const bad = { id: "bak_1", health: "down" as const, message: "refused", since: null, liveConnections: 1 };
    const { backends, exposureIds } = judge(report(service(), service({ backends: [bad] })));
    expect([backends, exposureIds]).toEqual([[{ ...bad, liveConnections: 3, replicaId: "rep_1" }], ["exp_1"]]);
  });

  it("of a new backend is no change while its health is unknown", () => {
    const unknown = { id: "bak_9", health: "unknown" as const, message: "", since: null, liveConnections: 0 };
    expect(judge(report(service({ backends: [unknown] }))).exposureIds).toEqual([]);
    expect(judge(report(service({ backends: [{ ...unknown, health: "up" }] }))).exposureIds).toEqual(["exp_1"]);
  });

  it("shows what it no longer carries, and that it moved", () => {
    expect(judge({ ...report(), flowAddress: "10.9.0.7:7444" })).toMatchObject({
      letGoOf: ["lb_1"],
      flowAddressChanged: true,
    });
  });
});

it("adds up the client networks of a replica's ports", () => {
  const clients = (problem: string, networks: [string, number][], otherBps: number) => ({
    ...{ problem, seconds: 60, oneIn: networks.length, otherBps },
    networks: networks.map(([prefix, throughputBps]) => ({ prefix, throughputBps, packetsPerSecond: 1 })),
  });
  const { samples } = judgeBalancer(
    stored(),
    report(
      service({
        clients: clients(
          "",
          [
            ["192.0.2.0/24", 5],
            ["198.51.100.0/24", 4],
          ],
          1,
        ),
      }),
      service({ clients: clients("It fails.", [["198.51.100.0/24", 3]], 2) }),
    ),
    "node_1",
  );
  expect(samples).toEqual([
    {
      ...{ replicaId: "rep_1", agentId: stored().agentId, problem: "It fails.", seconds: 60, oneIn: 2, otherBps: 3 },
      networks: [
        { prefix: "198.51.100.0/24", throughputBps: 7, packetsPerSecond: 2 },
        { prefix: "192.0.2.0/24", throughputBps: 5, packetsPerSecond: 1 },
      ],
    },
  ]);
  expect(judgeBalancer(stored(), report(service()), "node_1").samples).toEqual([]);
});
