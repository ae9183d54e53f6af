import os from "node:os";
import { controlPlaneAddress, createAll, type Nodes, startNodes } from "@fairlead/drivers/kubernetes-testing";
import { createAddressPool, getExposure } from "@fairlead/services";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { adaptiveApp, deployShop, scaleShop, shop, shopPort, startAdaptivePods } from "./testing/adaptive-pods.ts";
import type { AgentSet } from "./testing/agent-pods.ts";
import { type ClusterStage, setClusterStage } from "./testing/cluster-stage.ts";
import { type ReadyPod, readyPods } from "./testing/ready-pods.ts";
import { startVisitors, type Visit, type Visitor } from "./testing/visitor.ts";
import { type Endpoints, watchEndpoints } from "./testing/watch-endpoints.ts";

// Clients and servers in pods that kubelets run, next to kube-proxy, and agents from the manifest of the guide.
const patience = { timeout: 90_000, interval: 200 };
const batch = 40;
/** By weight, half of a batch would stay on a node. */
const mostShare = 0.9;
const rounds = 5;
/** From a change of an endpoint to that of connections. */
const followedWithinMs = 1_000;

let nodes: Nodes;
let stage: ClusterStage;
let agents: AgentSet;
let here: Visitor;
let there: Visitor;
let exposureId: string;
let address: string;
const now = () => ({ ...stage.ctx, now: new Date() });

beforeAll(async () => {
  [nodes, stage] = await Promise.all([startNodes({ count: 2 }), setClusterStage({ names: [controlPlaneAddress] })]);
  const clusterId = await stage.attach(nodes.control.kubeconfig, "fra-01");
  agents = await startAdaptivePods(nodes, stage, clusterId);
  await deployShop(nodes);
  [here, there] = (await startVisitors(nodes)) as [Visitor, Visitor];
  const pool = { clusterId, name: "inside", prefix: "198.51.100.0/27", note: "" };
  const { id: poolId } = await createAddressPool(now(), pool);
  const exposure = await stage.expose({
    ...{ clusterId, name: shop, workload: { namespace: "default", kind: "selector", selector: { app: shop } } },
    ports: [{ port: 80, targetPort: shopPort, protocol: "tcp" }],
    strategy: { type: "adaptive", poolId },
  });
  exposureId = exposure.id;
  await vi.waitFor(async () => expect((await getExposure(now(), exposureId)).phase).toBe("serving"), patience);
  address = (await getExposure(now(), exposureId)).addresses[0] ?? "";
}, 300_000);
afterAll(async () => {
  await stage?.stop();
  await nodes?.stop();
});

const detail = async () => (await getExposure(now(), exposureId)).adaptive;

/** podOn waits until exactly one pod is ready on a node, and returns it. */
async function podOn(node: string): Promise<ReadyPod> {
  const pods = async () => (await readyPods(nodes, shop)).filter((each) => each.node === node);
  await expect.poll(pods, patience).toHaveLength(1);
  const [pod] = await pods();
  if (!pod) throw new Error(`the pod of ${node} is no longer ready`);
  return pod;
}

const unique = (values: readonly string[]) => [...new Set(values)].filter(Boolean).sort();
const podsIn = (visits: readonly Visit[]) => unique(visits.map((each) => each.instance));
const errorsIn = (visits: readonly Visit[]) => unique(visits.map((each) => each.error));

/** visit returns a batch of connections to an address. */
async function visit(visitor: Visitor, to = address): Promise<Visit[]> {
  await visitor.begin(`${to}:80`);
  await expect.poll(async () => (await visitor.seen()).length, patience).toBeGreaterThanOrEqual(batch);
  return visitor.end();
}

/**
 * staysLocal waits until the pod on a client's node answers most connections. Without a distance between the nodes, the other
 * one is faster at moments, as the CPU is busy.
 */
async function staysLocal(visitor: Visitor): Promise<void> {
  const { name } = await podOn(visitor.node);
  const all: Visit[] = [];
  const share = async () => {
    const visits = await visit(visitor);
    all.push(...visits);
    return visits.filter((each) => each.instance === name).length / visits.length;
  };
  await expect.poll(share, patience).toBeGreaterThanOrEqual(mostShare);
  expect(errorsIn(all)).toEqual([]);
  expect(unique(all.map((each) => each.client))).toEqual([visitor.address]);
}

/** goesTo waits until the last connections of a round have gone to exactly these pods. */
async function goesTo(visitor: Visitor, pods: readonly string[]): Promise<void> {
  await expect.poll(async () => podsIn((await visitor.seen()).slice(-batch)), patience).toEqual([...pods].sort());
}

/** ready waits until the kubelets find all agents ready, after this number of restarts. */
async function ready(restarts: number): Promise<void> {
  const pods = async () => (await readyPods(nodes, adaptiveApp, "fairlead")).map((each) => each.restarts);
  await expect.poll(pods, patience).toEqual(nodes.names.map(() => restarts));
}

it("runs on each node, offers the CPU cores of all pods there, and exchanges figures with the others", async () => {
  await ready(0);
  const seen = async () =>
    new Map(
      ((await detail())?.nodes ?? []).map(({ nodeName, problem, cores, peers }) => {
        const exchanging = peers.map((each) => each.isExchanging && each.roundTripMs !== null);
        return [nodeName, { problem, cores, exchanging }];
      }),
    );
  const each = { problem: "", cores: os.cpus().length, exchanging: [true] };
  await expect.poll(seen, patience).toEqual(new Map(nodes.names.map((nodeName) => [nodeName, each])));
  const of = { where: { reason: "NodeCoresChanged" }, select: { message: true } };
  const sources = async () => (await stage.database.db.event.findMany(of)).map((event) => event.message);
  const ofPods = expect.stringMatching(/by cgroup \S+\/kubepods of version 2\.$/);
  await expect.poll(sources, patience).toEqual(nodes.names.map(() => ofPods));
}, 120_000);

it("answers pods on their own node, without another address in between", async () => {
  for (const visitor of [here, there]) await staysLocal(visitor);
  const local = async () =>
    (await detail())?.routes.find(
      ({ fromNodeName, toNodeName }) => fromNodeName === here.node && toNodeName === here.node,
    );
  await expect.poll(async () => (await local())?.chosen ?? 0, patience).toBeGreaterThanOrEqual(batch);
}, 240_000);

it("leaves the addresses of Services to kube-proxy", async () => {
  type Service = { spec: { clusterIP: string } };
  const { spec } = await nodes.control.api.get<Service>(`/api/v1/namespaces/default/services/${shop}`);
  const visits = await visit(here, spec.clusterIP);
  expect(podsIn(visits)).toEqual((await readyPods(nodes, shop)).map((each) => each.name).sort());
  expect(errorsIn(visits)).toEqual([]);
}, 120_000);

it("answers elsewhere without an error once the pod on the node is removed, and uses a new one", async () => {
  const elsewhere = await podOn(there.node);
  await here.begin(`${address}:80`);
  await scaleShop(nodes, here.node, 0);
  await goesTo(here, [elsewhere.name]);
  await scaleShop(nodes, here.node, 1);
  const added = await podOn(here.node);
  await expect.poll(async () => podsIn(await here.seen()), patience).toContain(added.name);
  expect(errorsIn(await here.end())).toEqual([]);
  await staysLocal(here);
}, 180_000);

/** replace replaces the only pod, and returns how long connections took to follow its endpoints, in milliseconds. */
async function replace({ endedAt, readyAt }: Endpoints): Promise<{ removed: number; added: number }> {
  const former = await podOn(here.node);
  await here.begin(`${address}:80`);
  await goesTo(here, [former.name]);
  await scaleShop(nodes, here.node, 0);
  await goesTo(here, []);
  await scaleShop(nodes, here.node, 1);
  const added = await podOn(here.node);
  await expect.poll(async () => podsIn(await here.seen()), patience).toContain(added.name);
  const visits = await here.end();
  expect(errorsIn(visits)).toEqual([expect.stringContaining("ECONNREFUSED")]);
  await expect.poll(() => readyAt.has(added.address) && endedAt.has(former.address), patience).toBe(true);
  const of = ({ name }: ReadyPod) => visits.filter((each) => each.instance === name).map((each) => each.at);
  return {
    removed: Math.max(...of(former)) - (endedAt.get(former.address) ?? Number.NaN),
    added: Math.min(...of(added)) - (readyAt.get(added.address) ?? Number.NaN),
  };
}

it("uses a new endpoint, and no removed one, within a second", async () => {
  await scaleShop(nodes, there.node, 0);
  const endpoints = watchEndpoints(nodes, shop);
  const all: { removed: number; added: number }[] = [];
  try {
    for (let round = 0; round < rounds; round++) all.push(await replace(endpoints));
  } finally {
    await endpoints.stop();
    await scaleShop(nodes, there.node, 1);
  }
  for (const change of ["removed", "added"] as const) {
    // One of them may wait for the CPU of a busy machine.
    const delays = all.map((each) => each[change]).sort((a, b) => a - b);
    expect(delays[Math.floor(rounds / 2)], `${change}: ${delays.join(", ")} ms`).toBeLessThanOrEqual(followedWithinMs);
  }
}, 300_000);

it("continues without an error while the agents of all nodes are killed", async () => {
  await here.begin(`${address}:80`);
  const ended = await Promise.all(nodes.names.map((node) => nodes.killContainers(node, "adaptive")));
  expect(ended).toEqual([1, 1]);
  await ready(1);
  expect(errorsIn(await here.end())).toEqual([]);
  for (const visitor of [here, there]) await staysLocal(visitor);
}, 300_000);

it("continues by weight without agents, which keep their identity when they are back", async () => {
  const known = () => stage.database.db.agent.count();
  const before = await known();
  const all = (await readyPods(nodes, shop)).map((each) => each.name);
  const { api } = nodes.control;
  await here.begin(`${address}:80`);
  await api.delete(`/apis/apps/v1/namespaces/fairlead/daemonsets/${adaptiveApp}`);
  const left = async () => (await api.get<{ items: object[] }>("/api/v1/namespaces/fairlead/pods")).items;
  await expect.poll(left, patience).toEqual([]);
  await goesTo(here, all);
  await createAll(api, [agents]);
  await ready(0);
  expect(errorsIn(await here.end())).toEqual([]);
  for (const visitor of [here, there]) await staysLocal(visitor);
  expect(await known()).toBe(before);
}, 300_000);
