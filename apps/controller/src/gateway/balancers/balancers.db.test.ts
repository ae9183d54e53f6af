import {
  createAddressPool,
  createExposure,
  getNode,
  listEvents,
  markDirty,
  revokeAgent,
  updateExposure,
} from "@fairlead/services";
import { describe, expect, it, vi } from "vitest";
import {
  type BalancerFixture,
  type BalancerStage,
  onBalancerStage,
  patience,
  withReplicas,
} from "../testing/balancer-stage.ts";
import { actives, agentsOf, silence, statesOf } from "../testing/carried.ts";
import { pod, podAddress } from "../testing/test-balancer.ts";

let stage: BalancerStage;
let fixture: BalancerFixture;
onBalancerStage((ours, entered) => {
  stage = ours;
  fixture = entered;
});

describe("an exposure on our own agents", () => {
  it("is compiled from pods into the balancers' configs, and shows the status that they report", async () => {
    const { id } = await fixture.serve(2, [pod(1), pod(2), pod(3)]);
    const [first, second] = fixture.balancers;
    const exposure = await fixture.exposure(id);
    const [address] = exposure.addresses;
    const [service] = first?.services() ?? [];
    expect(service).toMatchObject({
      exposureId: id,
      address,
      port: 80,
      protocol: "tcp",
      healthCheck: { type: "tcp", intervalMs: 1_000, rise: 2, fall: 3 },
    });
    expect(statesOf(first)).toEqual(actives([1, 2, 3]));
    await vi.waitFor(
      () =>
        expect(first?.configs.at(-1)?.balancer).toMatchObject({
          engine: "auto",
          peers: [{ agentId: second?.agentId, address: "10.9.0.2:7444" }],
        }),
      patience,
    );
    expect(exposure).toMatchObject({
      message: "Serving on 2 of 2 replicas; 3 of 3 backends are up.",
      conditions: [
        { type: "BackendsUp", status: "true" },
        { type: "Carried", status: "true" },
        { type: "Placed", status: "true", message: "Placed on n1, n2." },
        { type: "Ready", status: "true", reason: "Serving" },
      ],
      replicas: [
        {
          nodeName: "n1",
          ready: true,
          engine: "tcx",
          address: "10.9.0.1",
          refusedEngines: [{ engine: "xdp" }],
          liveConnections: 9,
          reportIntervalMs: 5_000,
        },
        { nodeName: "n2", ready: true, engine: "tcx", address: "10.9.0.2" },
      ],
    });
    const { balancers } = await getNode(fixture.now(), exposure.replicas[0]?.nodeId ?? "");
    expect(balancers).toMatchObject([
      {
        agentId: first?.agentId,
        engine: "tcx",
        refusedEngines: [{ engine: "xdp" }],
        reportIntervalMs: 5_000,
        replicaCount: 1,
        replicas: [{ loadBalancerName: exposure.name, ready: true, message: "", liveConnections: 9 }],
      },
    ]);
    expect(
      exposure.backends.map(({ instance, state, health, liveConnections }) => [
        instance,
        state,
        health,
        liveConnections,
      ]),
    ).toEqual([
      ["web-1", "active", "up", 6],
      ["web-2", "active", "up", 6],
      ["web-3", "active", "up", 6],
    ]);
  });

  it("drains a removed pod before deleting it, and fills a new one before it is active", async () => {
    await fixture.serve(1, [pod(1), pod(2)]);
    const [balancer] = fixture.balancers;
    const from = balancer?.configs.length ?? 0;
    await fixture.runs([pod(1), pod(3)]);
    await vi.waitFor(() => expect(statesOf(balancer)).toEqual(actives([1, 3])), patience);
    const seen = (balancer?.configs.slice(from) ?? []).map(({ balancer }) =>
      Object.fromEntries((balancer?.services[0]?.backends ?? []).map((each) => [each.address, each.state])),
    );
    expect(seen[0]).toEqual({ ...actives([1]), [podAddress(2)]: "draining", [podAddress(3)]: "filling" });
    expect(seen.every((each) => each[podAddress(1)] === "active")).toBe(true);
  });

  it("uses instance addresses of its own family, and those of another only for a proxy", async () => {
    await fixture.serve(2, [pod(1, { addresses: [podAddress(1), "fd08::1"] }), pod(2)]);
    const { clusterId, spec } = fixture;
    const pool = await createAddressPool(fixture.now(), {
      clusterId,
      name: "six",
      prefix: "2001:db8:6::/64",
      note: "",
    });
    const six = { ...spec, name: "web-six", strategy: { ...spec.strategy, poolId: pool.id } } as typeof spec;
    const { id } = await createExposure(fixture.now(), six);
    const behind = async () => (await fixture.exposure(id)).backends.map((each) => each.address);
    await vi.waitFor(async () => expect(await behind()).toEqual(["fd08::1"]), patience);
    const strategy = { ...six.strategy, delivery: "proxy" as const };
    await updateExposure(fixture.now(), id, { strategy: strategy as typeof spec.strategy });
    await vi.waitFor(async () => expect(await behind()).toEqual([podAddress(2), "fd08::1"]), patience);
  });

  it("gives each backend the weight of its instance, and follows its changes", async () => {
    await fixture.serve(1, [pod(1, { weight: 3 }), pod(2)]);
    const weights = () =>
      Object.fromEntries(
        (fixture.balancers[0]?.services()[0]?.backends ?? []).map((each) => [each.address, each.weight]),
      );
    expect(weights()).toEqual({ [podAddress(1)]: 3, [podAddress(2)]: 1 });
    await fixture.runs([pod(1, { weight: 3 }), pod(2, { weight: 7 })]);
    await vi.waitFor(() => expect(weights()).toEqual({ [podAddress(1)]: 3, [podAddress(2)]: 7 }), patience);
  });

  it("configures the scheduler and the PROXY protocol of the spec", async () => {
    const { id, strategy } = await fixture.serve(1, [pod(1)]);
    if (strategy.type !== "ecmp") throw new Error("the stage's spec is not ecmp");
    const service = () => fixture.balancers[0]?.services()[0];
    expect(service()).toMatchObject({ scheduler: "", proxyProtocol: false });
    await updateExposure(fixture.now(), id, { strategy: { ...strategy, engine: "ipvs", scheduler: "wlc" } });
    await vi.waitFor(() => expect(service()).toMatchObject({ scheduler: "wlc", proxyProtocol: false }), patience);
    await updateExposure(fixture.now(), id, { strategy: { ...strategy, delivery: "proxy", proxyProtocol: true } });
    await vi.waitFor(() => expect(service()).toMatchObject({ scheduler: "", proxyProtocol: true }), patience);
  });

  it("shows which backend is down and why, with a single event", async () => {
    const { id } = await fixture.serve(2, [pod(1), pod(2)]);
    fixture.balancers[0]?.down.set(podAddress(2), "connection refused");
    await fixture.balancers[0]?.say();
    await vi.waitFor(async () => expect((await fixture.exposure(id)).phase).toBe("degraded"), patience);
    expect(await fixture.exposure(id)).toMatchObject({
      message:
        "Serving on 2 of 2 replicas; 1 of 2 backends is up. 1 of 2 backends is down, such as web-2: connection refused.",
      backends: [
        { instance: "web-1", health: "up" },
        { instance: "web-2", health: "down", message: "connection refused" },
      ],
    });
    await fixture.balancers[0]?.say();
    const { items } = await listEvents(fixture.now(), { subjectId: id, sort: "at", direction: "desc", limit: 50 });
    expect(items.filter((each) => each.reason === "BackendsDown")).toHaveLength(1);
  });

  it("ignores the status of a silent agent as long as another one reports", async () => {
    const { id } = await fixture.serve(2, [pod(1), pod(2)]);
    const [first, second] = fixture.balancers;
    first?.down.set(podAddress(2), "connection refused");
    await first?.say();
    const health = async () => (await fixture.exposure(id)).backends.map((each) => each.health);
    await vi.waitFor(async () => expect(await health()).toEqual(["up", "down"]), patience);
    await first?.hold();
    await silence(stage, first?.agentId, 20);
    await markDirty(stage.database.db, "exposure", id);
    await vi.waitFor(async () => expect(await health()).toEqual(["up", "up"]), patience);
    const { message, backends, replicas } = await fixture.exposure(id);
    const silent = { ready: false, message: "Its agent is silent." };
    expect(replicas).toMatchObject([
      { nodeName: "n1", ...silent },
      { nodeName: "n2", ready: true, message: "" },
    ]);
    const { balancers } = await getNode(fixture.now(), replicas[0]?.nodeId ?? "");
    expect(balancers[0]?.replicas).toMatchObject([silent]);
    expect(message).toBe(
      "Serving on 1 of 2 replicas; 2 of 2 backends are up. 1 of 2 replicas carries it; the one on n1 is silent.",
    );
    expect(backends.map((each) => [each.message, each.liveConnections])).toEqual([
      ["", 3],
      ["", 3],
    ]);
    await silence(stage, second?.agentId, 20);
    await second?.hold();
    await silence(stage, second?.agentId, 20);
    await markDirty(stage.database.db, "exposure", id);
    await vi.waitFor(
      async () => expect((await fixture.exposure(id)).message).toContain("Serves by its agents' last configuration."),
      patience,
    );
  });

  it("does not switch the engine of an agent that carries another exposure, and names that agent", async () => {
    const { id: plain, name } = await fixture.serve(1, [pod(1)]);
    const { strategy } = withReplicas(fixture.spec, 1);
    const proxied = {
      ...fixture.spec,
      name: "proxied",
      strategy: { ...strategy, delivery: "proxy" } as typeof strategy,
    };
    const { id } = await createExposure(fixture.now(), proxied);
    await vi.waitFor(
      async () =>
        expect((await fixture.exposure(id)).message).toContain(
          `a live agent of the role balancer in ${(await fixture.exposure(id)).clusterName} that may run userspace. The agent on n1 runs one engine for all that it carries, tcx for ${name}.`,
        ),
      patience,
    );
    expect((await fixture.exposure(plain)).phase).toBe("serving");
    await fixture.join(1);
    await vi.waitFor(async () => expect((await fixture.exposure(id)).phase).toBe("serving"), patience);
    expect(fixture.balancers.map((each) => each.services().map((service) => service.exposureId))).toEqual([
      [plain],
      [id],
    ]);
  });

  it("shares no agent with an exposure that needs a different engine, even if both are created at once", async () => {
    await fixture.runs([pod(1)]);
    await fixture.join(2);
    const { strategy } = withReplicas(fixture.spec, 1);
    const specs = (["proxy", "direct"] as const).map((delivery) => ({
      ...fixture.spec,
      name: delivery,
      strategy: { ...strategy, delivery } as typeof strategy,
    }));
    const made = await Promise.all(specs.map((spec) => createExposure(fixture.now(), spec)));
    for (const { id } of made)
      await vi.waitFor(async () => expect((await fixture.exposure(id)).phase).toBe("serving"), patience);
    expect(fixture.balancers.map((each) => each.services().length)).toEqual([1, 1]);
  });

  it("waits for agents, and is placed once they join", async () => {
    await fixture.runs([pod(1)]);
    const { id } = await createExposure(fixture.now(), fixture.spec);
    await vi.waitFor(
      async () => expect((await fixture.exposure(id)).message).toContain("2 of 2 replicas have no agent"),
      patience,
    );
    await fixture.join(2);
    await vi.waitFor(async () => expect((await fixture.exposure(id)).phase).toBe("serving"), patience);
  });
});

describe("a replica", () => {
  it("stays where it is while its agent reports, even if others join", async () => {
    const { id } = await fixture.serve(2, [pod(1)]);
    const before = await agentsOf(stage, id);
    await fixture.join(2);
    await silence(stage, before[0], 50);
    const { observedAt } = await fixture.exposure(id);
    await markDirty(stage.database.db, "exposure", id);
    await vi.waitFor(async () => expect((await fixture.exposure(id)).observedAt).not.toEqual(observedAt), patience);
    expect(await agentsOf(stage, id)).toEqual(before);
  });

  it("moves if its agent is silent for more than a minute, or is revoked", async () => {
    const { id } = await fixture.serve(2, [pod(1)]);
    const [first, second] = await agentsOf(stage, id);
    await fixture.join(2);
    const [, , third, fourth] = fixture.balancers.map((each) => each.agentId);
    const former = fixture.balancers.find((each) => each.agentId === first);
    await former?.hold();
    await silence(stage, first, 61);
    await markDirty(stage.database.db, "exposure", id);
    await vi.waitFor(
      async () => expect(await agentsOf(stage, id)).toEqual([expect.toBeOneOf([third, fourth]), second]),
      patience,
    );
    await revokeAgent(fixture.now(), second ?? "");
    await vi.waitFor(async () => expect((await agentsOf(stage, id)).sort()).toEqual([third, fourth].sort()), patience);
    await vi.waitFor(async () => expect((await fixture.exposure(id)).phase).toBe("serving"), patience);
    await vi.waitFor(() => expect(former?.services()).toEqual([]), patience);
  });

  it("that is no longer needed is removed from the config of its agent", async () => {
    const { id } = await fixture.serve(2, [pod(1)]);
    await updateExposure(fixture.now(), id, { strategy: withReplicas(fixture.spec, 1).strategy });
    await vi.waitFor(
      () => expect(fixture.balancers.map((each) => each.services().length).sort()).toEqual([0, 1]),
      patience,
    );
  });
});
