import { describe, expect, it } from "vitest";
import type { LoadBalancerPhase } from "./load-balancer.ts";
import { type CarriedBackend, type CarriedReplica, summarizeCarried, summarizeInstance } from "./summarize-carried.ts";

const replica = (nodeName: string | null, fields: Partial<CarriedReplica> = {}): CarriedReplica => ({
  id: `rep_${nodeName}`,
  nodeName,
  speaks: nodeName !== null,
  ready: true,
  message: "",
  ...fields,
});
const backend = (instance: string, fields: Partial<CarriedBackend> = {}): CarriedBackend => ({
  instance,
  state: "active",
  health: "up",
  message: "",
  isChecked: true,
  ...fields,
});
const two = [replica("n1"), replica("n2")];
const web = [backend("web-1"), backend("web-2"), backend("web-3")];
const lack = "each takes a live agent of the role balancer in lab.";
const summarize = (replicas: CarriedReplica[], backends: CarriedBackend[], phase: LoadBalancerPhase = "pending") =>
  summarizeCarried({ id: "lb_1", address: "192.0.2.1", replicas, backends }, { phase }, { lack });

describe("the summary of our own balancer", () => {
  it("has a phase, a message and four conditions", () => {
    expect(summarize(two, web)).toEqual({
      phase: "serving",
      message: "Serving on 2 of 2 replicas; 3 of 3 backends are up.",
      replicasReady: 2,
      backendsUp: 3,
      backendsTotal: 3,
      conditions: [
        {
          type: "Ready",
          status: "true",
          reason: "Serving",
          message: "Serving on 2 of 2 replicas; 3 of 3 backends are up.",
        },
        { type: "Placed", status: "true", reason: "Placed", message: "Placed on n1, n2." },
        { type: "Carried", status: "true", reason: "Carried", message: "2 of 2 replicas carry it." },
        { type: "BackendsUp", status: "true", reason: "BackendsUp", message: "3 of 3 backends are up." },
      ],
    });
  });

  it("is degraded while a replica carries an earlier configuration", () => {
    const { phase, message, conditions } = summarize([replica("n1"), replica("n2", { message: "As before." })], web);
    const why = "2 of 2 replicas carry it. n2: As before.";
    expect([phase, message]).toEqual(["degraded", `Serving on 2 of 2 replicas; 3 of 3 backends are up. ${why}`]);
    expect(conditions).toContainEqual({ type: "Carried", status: "false", reason: "NotCarried", message: why });
  });

  it("is degraded unless connections are placed by TLS session as requested", () => {
    const of = (status: "true" | "false" | "unknown") => {
      const placing = { type: "BySession", status, reason: "NotBySession" as const, message: "No agent." };
      const balancer = { id: "lb_1", address: null, replicas: two, backends: web };
      return summarizeCarried(balancer, { phase: "serving" }, { lack, placing });
    };
    expect(["true", "unknown", "false"].map((status) => of(status as "true").phase)).toEqual([
      "serving",
      "serving",
      "degraded",
    ]);
    expect(of("false").message).toBe("Serving on 2 of 2 replicas; 3 of 3 backends are up. No agent.");
    expect(of("false").conditions.at(-1)).toMatchObject({ type: "BySession", status: "false" });
  });

  it("mentions omitted instances in each case, and is not serving then", () => {
    const omitted = "2 instances of the deployment web are left out.";
    const of = (replicas: CarriedReplica[]) =>
      summarizeCarried({ id: "lb_1", address: null, replicas, backends: web }, { phase: "pending" }, { lack, omitted });
    const serving = of(two);
    expect([serving.phase, serving.message]).toEqual([
      "degraded",
      `Serving on 2 of 2 replicas; 3 of 3 backends are up. ${omitted}`,
    ]);
    expect(serving.conditions.at(-1)).toEqual({
      ...{ type: "Complete", status: "false", reason: "InstancesOmitted", message: omitted },
    });
    expect(of([replica(null, { ready: null })]).message).toBe(
      `1 of 1 replica has no agent to run on: ${lack} ${omitted}`,
    );
  });

  it.each<[string, CarriedReplica[], CarriedBackend[], LoadBalancerPhase, string, string]>([
    [
      "a replica has no agent",
      [replica("n1"), replica(null, { ready: null })],
      web,
      "serving",
      "degraded",
      `Serving on 1 of 2 replicas; 3 of 3 backends are up. 1 of 2 replicas has no agent to run on: ${lack}`,
    ],
    [
      "no replica has reported",
      two.map((each) => ({ ...each, ready: null })),
      web.map((each) => ({ ...each, health: "unknown" as const })),
      "pending",
      "pending",
      "0 of 2 replicas carry it; the others have not reported yet.",
    ],
    [
      "a replica does not carry it",
      [replica("n1"), replica("n2", { ready: false, message: "The data path doesn't carry it yet." })],
      web,
      "serving",
      "degraded",
      "Serving on 1 of 2 replicas; 3 of 3 backends are up. 1 of 2 replicas carries it. n2: The data path doesn't carry it yet.",
    ],
    [
      "a backend is down",
      two,
      [backend("web-1", { health: "down", message: "connection refused" }), backend("web-2")],
      "serving",
      "degraded",
      "Serving on 2 of 2 replicas; 1 of 2 backends is up. 1 of 2 backends is down, such as web-1: connection refused.",
    ],
    [
      "no replica carries it any more",
      [replica("n1", { ready: false, message: "None of its 1 backends is up." })],
      [backend("web-1", { health: "down" })],
      "serving",
      "failed",
      "Not serving. 0 of 1 replica carries it. n1: None of its 1 backends is up.",
    ],
    [
      "all replicas that carried it are silent",
      two.map((each) => ({ ...each, speaks: false })),
      web,
      "serving",
      "degraded",
      "Serves by its agents' last configuration. 0 of 2 replicas carry it; the ones on n1, n2 are silent.",
    ],
    [
      "its backends aren't checked",
      two,
      [backend("web-1", { health: "unknown", isChecked: false })],
      "pending",
      "serving",
      "Serving on 2 of 2 replicas; 1 of 1 backend is up.",
    ],
    [
      "no backend is checked yet",
      two,
      web.map((each) => ({ ...each, health: "unknown" as const })),
      "pending",
      "pending",
      "Waiting for the first health checks. 0 of 3 backends are up, 3 are not checked yet.",
    ],
    [
      "no backend is checked since its agents restarted",
      two,
      [backend("web-1", { health: "unknown" })],
      "serving",
      "serving",
      "Serving on 2 of 2 replicas; 0 of 1 backend is up, 1 is not checked yet.",
    ],
    [
      "a new backend is not checked yet",
      two,
      [...web, backend("web-4", { state: "filling", health: "unknown" })],
      "serving",
      "serving",
      "Serving on 2 of 2 replicas; 3 of 4 backends are up, 1 is not checked yet.",
    ],
    [
      "a backend drains",
      two,
      [backend("web-1"), backend("web-2", { state: "draining", health: "down" })],
      "serving",
      "serving",
      "Serving on 2 of 2 replicas; 1 of 1 backend is up.",
    ],
  ])("when %s", (_, replicas, backends, before, phase, message) => {
    const summary = summarize(replicas, backends, before);
    expect([summary.phase, summary.message]).toEqual([phase, message]);
  });

  it("does not report backends as up that no replica has checked lately", () => {
    const silent = two.map((each) => ({ ...each, speaks: false }));
    const { conditions } = summarize(silent, [backend("web-1"), backend("web-2", { health: "down" })], "serving");
    expect(conditions.find((each) => each.type === "BackendsUp")).toEqual({
      type: "BackendsUp",
      status: "unknown",
      reason: "ReplicasSilent",
      message: "No replica reports their health; 1 of 2 backends was up at the last report.",
    });
  });
});

describe("the summary of an instance's balancer", () => {
  const stand = (replicas: CarriedReplica[], hindrance: { problem?: string; isAway?: boolean }) => {
    const carried = { id: "lb_1", address: "192.0.2.1", replicas, backends: [backend("web-1")] };
    const { phase, message } = summarizeInstance(
      carried,
      { phase: "pending" },
      { lack },
      { problem: "", isAway: false, ...hindrance },
    );
    return { phase, message };
  };

  it("is that of any other balancer without a problem", () => {
    expect(stand(two, {})).toEqual({
      phase: "serving",
      message: "Serving on 2 of 2 replicas; 1 of 1 backend is up.",
    });
  });

  it("has the problem as its message, whether it serves or not", () => {
    expect(stand([], { problem: "No address." })).toEqual({ phase: "failed", message: "No address." });
    expect(stand(two, { problem: "No address." })).toEqual({ phase: "degraded", message: "No address." });
  });

  it("is that its address is kept while its instance is gone", () => {
    expect(stand(two, { isAway: true })).toEqual({
      phase: "degraded",
      message: "Its instance is not running; its address is kept for it.",
    });
  });
});
