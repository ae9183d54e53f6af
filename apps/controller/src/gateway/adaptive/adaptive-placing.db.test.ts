import { type AdaptiveStrategy, adaptiveAgentCure, type Exposure } from "@fairlead/domain/exposure";
import {
  createExposure,
  deleteExposure,
  markDirty,
  pauseExposure,
  resumeExposure,
  revokeAgent,
} from "@fairlead/services";
import { afterEach, expect, it, vi } from "vitest";
import { type BalancerFixture, type BalancerStage, onBalancerStage, patience } from "../testing/balancer-stage.ts";
import { silence } from "../testing/carried.ts";
import { startTestAdaptive, type TestAdaptive } from "../testing/test-adaptive.ts";
import { pod, podAddress } from "../testing/test-balancer.ts";

let stage: BalancerStage;
let fixture: BalancerFixture;
let agents: TestAdaptive[];
onBalancerStage((set, entered) => {
  stage = set;
  fixture = entered;
  agents = [];
});
afterEach(async () => {
  await Promise.all(agents.map((each) => each.stop()));
});

/** add adds an agent of the role adaptive on its own node "n1", "n2", … */
async function add(): Promise<TestAdaptive> {
  const number = agents.length + 1;
  const where = { nodeName: `n${number}`, mesh: `10.9.0.${number}:7448` };
  const agent = await startTestAdaptive(fixture.now(), stage.port, fixture.clusterId, where);
  agents.push(agent);
  return agent;
}

function expose(change: Partial<AdaptiveStrategy> = {}): Promise<Exposure> {
  const { spec } = fixture;
  const poolId = "poolId" in spec.strategy ? (spec.strategy.poolId ?? "") : "";
  return createExposure(fixture.now(), { ...spec, strategy: { type: "adaptive", poolId, ...change } });
}

const phaseOf = async (id: string) => (await fixture.exposure(id)).phase;
const serving = (id: string) => vi.waitFor(async () => expect(await phaseOf(id)).toBe("serving"), patience);
const service = (agent: TestAdaptive) => agent.role()?.services[0];
/** Of the backends of the first service, by address. */
const backendsOf = (agent: TestAdaptive, field: "weight" | "state" | "nodeId") =>
  Object.fromEntries((service(agent)?.backends ?? []).map((each) => [each.address, each[field]]));

it("gives the agent of each node the address, all backends with their nodes, the other nodes, and one key", async () => {
  const [n1, n2] = [await add(), await add()];
  await fixture.runs([pod(1), pod(2, { nodeName: "n2" }), pod(3, { nodeName: "n3", addresses: ["10.7.0.3"] })]);
  const { id, addresses } = await expose({ endsConnections: true });
  await serving(id);

  expect(service(n1)).toMatchObject({
    ...{ exposureId: id, address: addresses[0], port: 80, protocol: "tcp", endsConnections: true },
    healthCheck: { type: "tcp" },
  });
  expect(backendsOf(n1, "nodeId")).toEqual({
    [podAddress(1)]: n1.nodeId,
    [podAddress(2)]: n2.nodeId,
    "10.7.0.3": "n3",
  });
  await vi.waitFor(() => {
    expect(n1.role()?.peers).toMatchObject([
      {
        ...{ agentId: n2.agentId, nodeId: n2.nodeId, address: "10.9.0.2:7448" },
        prefixes: [`${podAddress(2)}/32`, "10.9.0.2/32"],
      },
    ]);
    expect(n2.role()?.peers).toMatchObject([{ nodeId: n1.nodeId, address: "10.9.0.1:7448" }]);
  }, patience);
  expect(n1.role()).toMatchObject({ nodeId: n1.nodeId, prefixes: [`${podAddress(1)}/32`, "10.9.0.1/32"] });
  const keys = n1.role()?.keys;
  expect(keys?.current).toHaveLength(32);
  expect(n2.role()?.keys).toEqual(keys);
});

it("shows where connections from each node go, at what cost, and why not from all", async () => {
  const [n1, n2] = [await add(), await add()];
  await fixture.runs([pod(1), pod(2, { nodeName: "n2" }), pod(3, { nodeName: "n3" })]);
  const { id } = await expose();
  await serving(id);
  await vi.waitFor(() => expect(n1.role()?.peers).toHaveLength(1), patience);
  for (const [nodeId, share] of [
    [n1.nodeId, 0.75],
    [n2.nodeId, 0.25],
  ] as const)
    n1.shares.set(nodeId, share);
  await n1.say();

  const { adaptive, replicas, backends } = await fixture.exposure(id);
  expect(replicas.find((each) => each.nodeId === n1.nodeId)?.liveConnections).toBe(9);
  expect(backends.map((each) => each.liveConnections)).toEqual([null, null, null]);
  expect(adaptive?.message).toBe(
    `Distributes connections on 2 of 3 nodes. n3: It has no agent of the role adaptive, so clients there don't reach the address. ${adaptiveAgentCure("lab", "node")}`,
  );
  expect(adaptive?.nodes.map((each) => [each.nodeName, each.localShare, each.refused])).toEqual([
    ["n1", 0.75, 2],
    ["n2", null, 2],
    ["n3", null, 0],
  ]);
  expect(adaptive?.nodes[0]).toMatchObject({
    ...{ nodeId: n1.nodeId, problem: "", cores: 2, throttledRatio: 0.25 },
    peers: [{ nodeId: n2.nodeId, isExchanging: true, roundTripMs: 3 }],
  });
  const route = adaptive?.routes.find((each) => each.fromNodeName === "n1" && each.toNodeName === "n2");
  expect(route).toMatchObject({
    ...{ port: 80, protocol: "tcp", share: 0.25, open: 4, chosen: 40, failures: 1, roundTripMs: 3 },
    ...{ entered: 10, enteredOpen: 1, inFlight: 1.5 },
    ...{ requestsPerSecond: 20, serviceMs: 5, cores: 2, costMs: 2.5, byWeight: false },
  });
  expect(adaptive?.routes).toHaveLength(6);
  expect(adaptive?.decisions).toHaveLength(2);
  expect(adaptive?.decisions[0]).toMatchObject({
    at: new Date(1_700_000_000_000),
    candidates: [
      { beside: 1, costMs: 2 },
      { nodeName: "nod_gone", costMs: null },
    ],
  });
  const { db } = stage.database;
  const [stored] = await db.adaptiveReplica.findMany({ where: { replica: { loadBalancer: { exposureId: id } } } });
  expect(stored?.services).toMatchObject([{ connectionsPerSecond: 8, serviceMs: 6, cpuPeriodMs: 100 }]);
  const points = async (metric: string) => {
    const rows = await db.$queryRaw<{ value: number }[]>`
      SELECT p.value FROM sample p JOIN series s ON s.id = p.series_id JOIN load_balancer l ON l.id = s.subject_id
      WHERE s.metric = ${metric} AND l.exposure_id = ${id}`;
    return rows.map((each) => each.value);
  };
  expect(await points("localShareRatio")).toContain(0.75);
  expect(await points("sentToOtherNodesPerSecond")).toContain(2);
});

it("gives standby instances the weight 0", async () => {
  const n1 = await add();
  await fixture.runs([pod(1), pod(2, { labels: { app: "web", tier: "spare" } })]);
  const { id } = await expose({ standby: { tier: "spare" } });
  await serving(id);
  expect(backendsOf(n1, "weight")).toEqual({ [podAddress(1)]: 1, [podAddress(2)]: 0 });
});

it("lets a removed instance drain on its node, and drops it then", async () => {
  stage.times.drainMs = 5_000;
  const n1 = await add();
  await fixture.runs([pod(1), pod(2, { nodeName: "n2" })]);
  const { id } = await expose();
  await serving(id);
  await fixture.runs([pod(1)]);
  await vi.waitFor(() => expect(backendsOf(n1, "state")).toMatchObject({ [podAddress(2)]: "draining" }), patience);
  expect(backendsOf(n1, "nodeId")).toMatchObject({ [podAddress(2)]: "n2" });
  await vi.waitFor(() => expect(backendsOf(n1, "state")).toEqual({ [podAddress(1)]: "active" }), patience);
});

it("follows nodes: a new one gets a replica, a silent one keeps its own, and a revoked one loses it", async () => {
  const n1 = await add();
  await fixture.runs([pod(1)]);
  const { id } = await expose();
  await serving(id);
  const replicas = async () => (await fixture.exposure(id)).replicas.map((each) => each.agentId).sort();
  const n2 = await add();
  await vi.waitFor(async () => expect(await replicas()).toEqual([n1.agentId, n2.agentId].sort()), patience);
  await vi.waitFor(() => expect(service(n2)?.address).toBe(service(n1)?.address), patience);

  await serving(id);

  // A report about a config that arrives now would end the silence.
  await n2.stop();
  await silence(stage, n2.agentId, 3_600);
  await markDirty(stage.database.db, "exposure", id);
  await vi.waitFor(async () => expect(await phaseOf(id)).toBe("degraded"), patience);
  expect(await replicas()).toHaveLength(2);
  const node = (await fixture.exposure(id)).adaptive?.nodes.find((each) => each.nodeId === n2.nodeId);
  expect(node?.problem).toBe("Its agent is silent. The kernel distributes connections by its last configuration.");

  await revokeAgent(fixture.now(), n2.agentId);
  await vi.waitFor(async () => expect(await replicas()).toEqual([n1.agentId]), patience);
  await vi.waitFor(() => expect(n1.role()?.peers).toEqual([]), patience);
  await serving(id);
});

it("is pending without an agent, and says which to add", async () => {
  await fixture.runs([pod(1)]);
  const { id } = await expose();
  await vi.waitFor(async () => {
    const exposure = await fixture.exposure(id);
    expect(exposure.message).toContain(adaptiveAgentCure("lab", "cluster"));
    expect(exposure.phase).toBe("pending");
  }, patience);
});

it("shows why an agent distributes no connections", async () => {
  const n1 = await add();
  await fixture.runs([pod(1)]);
  const { id } = await expose();
  await serving(id);
  await n1.fail("Another program at the cgroup replaces addresses.");
  await vi.waitFor(async () => {
    const { phase, message, adaptive } = await fixture.exposure(id);
    expect({ phase, problem: adaptive?.nodes[0]?.problem }).toEqual({
      ...{ phase: "failed", problem: "Another program at the cgroup replaces addresses." },
    });
    expect(message).toContain("Another program at the cgroup");
  }, patience);
});

it("leaves the configs as they are while it is paused, and is gone from them when it is deleted", async () => {
  const n1 = await add();
  await fixture.runs([pod(1)]);
  const { id } = await expose();
  await serving(id);
  await pauseExposure(fixture.now(), id);
  await fixture.runs([pod(1), pod(2)]);
  const n2 = await add();
  await vi.waitFor(() => expect(n1.role()?.peers.map((each) => each.nodeId)).toEqual([n2.nodeId]), patience);
  expect(backendsOf(n1, "state")).toEqual({ [podAddress(1)]: "active" });
  expect(n2.role()?.services).toEqual([]);
  await resumeExposure(fixture.now(), id);
  await vi.waitFor(() => expect(Object.keys(backendsOf(n2, "state"))).toHaveLength(2), patience);

  await deleteExposure(fixture.now(), id);
  await vi.waitFor(() => expect([n1, n2].map((each) => each.role()?.services.length)).toEqual([0, 0]), patience);
  const gone = async () => stage.database.db.exposure.count({ where: { id } });
  await vi.waitFor(async () => expect(await gone()).toBe(0), patience);
});
