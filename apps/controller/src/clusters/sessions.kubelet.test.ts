import type { SessionStrategy } from "@fairlead/domain/exposure";
import { controlPlaneAddress, type Nodes, startNodes } from "@fairlead/drivers/kubernetes-testing";
import { getExposure, listRoutes, rotateTicketKeys } from "@fairlead/services";
import { afterAll, beforeAll, expect, it } from "vitest";
import { companionCount, startBackendPods } from "./testing/backend-pods.ts";
import { startBalancerPods } from "./testing/balancer-pods.ts";
import { type ClusterStage, setClusterStage } from "./testing/cluster-stage.ts";
import { deployManagedNginx, deployNginx, tlsPort } from "./testing/nginx-in-pods.ts";
import { readyPods } from "./testing/ready-pods.ts";
import { openTlsClient, type Visits } from "./testing/tls-client.ts";

// nginx in pods that kubelets run, on another network than their nodes, and agents from the manifests of the guides.
const patience = { timeout: 60_000, interval: 200 };
const name = "shop";
const count = 3;
const replicaCount = 2;
const users = 20;
const returns = 4;

let nodes: Nodes;
let stage: ClusterStage;
let client: ReturnType<typeof openTlsClient>;
let exposureId: string;
let address: string;
const strategy: Omit<SessionStrategy, "poolId"> = {
  ...{ type: "session", replicas: replicaCount, names: "learned", ids: true, ticketHours: 24 },
  fallbacks: ["plain"], // a proxy would continue for a minute once pods take connections
};
let poolId: string;
let clusterId: string;
const now = () => ({ ...stage.ctx, now: new Date() });

beforeAll(async () => {
  [nodes, stage] = await Promise.all([
    startNodes({ count: 2, syncSeconds: 2 }),
    setClusterStage({ names: [controlPlaneAddress] }),
  ]);
  clusterId = await stage.attach(nodes.control.kubeconfig, "fra-01");
  await deployNginx(nodes, name, count);
  poolId = await startBalancerPods(nodes, stage, clusterId, { rights: "ebpf" });
  await startBackendPods(nodes, stage, clusterId);
  client = openTlsClient(nodes);
  const exposure = await stage.expose({
    ...{ clusterId, name, workload: { namespace: "default", kind: "deployment", name } },
    ...{ ports: [{ port: tlsPort, protocol: "tcp" }], strategy: { ...strategy, poolId } },
  });
  exposureId = exposure.id;
  address = await addressOf(exposureId);
}, 300_000);
afterAll(async () => {
  await client?.stop();
  await stage?.stop();
  await nodes?.stop();
});

async function addressOf(exposureId: string): Promise<string> {
  const where = { loadBalancer: { exposureId } };
  return (await stage.database.db.virtualAddress.findFirstOrThrow({ where })).address.replace(/\/.*$/, "");
}

/** placing returns which replicas don't place connections by session and why, and which addresses take them. */
async function placing(exposureId: string): Promise<{ problems: string[]; takers: string[] }> {
  const { replicas = [], backends = [] } = (await getExposure(now(), exposureId)).session ?? {};
  const takers = backends.filter((each) => each.takesConnections && !each.message && each.tickets === "stable");
  const ids = takers.map(({ backendId }) => backendId);
  const rows = await stage.database.db.backend.findMany({ where: { id: { in: ids } }, select: { address: true } });
  return { problems: replicas.map(({ problem }) => problem), takers: rows.map((each) => each.address).sort() };
}

/** takesAll waits until all replicas place connections by session, on exactly the pods that are ready now. */
async function takesAll(workload = name, id = exposureId): Promise<string[]> {
  const pods = await readyPods(nodes, workload);
  const takers = pods.map(({ address }) => address).sort();
  const problems = Array(replicaCount).fill("");
  await expect.poll(() => placing(id), patience).toEqual({ problems, takers });
  return pods.map((each) => each.name).sort();
}

/**
 * serves waits until an exposure is serving and the clients' router sends its address to all replicas. A replica withdraws the
 * address while no backend is up, as until it has checked new ones.
 */
async function serves(id: string): Promise<void> {
  const state = async () => {
    const { phase, backends } = await getExposure(now(), id);
    return [phase, backends.map((each) => each.health)];
  };
  await expect.poll(state, patience).toEqual(["serving", Array(count).fill("up")]);
  const query = { clusterId, prefix: `${await addressOf(id)}/32`, limit: 1, sort: "prefix", direction: "asc" } as const;
  const hops = async () => (await listRoutes(now(), query)).items.flatMap(({ nextHops }) => nextHops);
  await expect.poll(hops, patience).toHaveLength(replicaCount);
}

/** settled waits until the agents have read the counters of earlier connections: they do with each report. */
async function settled(): Promise<void> {
  let last = -1;
  const changed = async () => {
    const accepted = await companionCount(nodes, "accepted");
    const isSame = accepted === last;
    last = accepted;
    return isSame;
  };
  await expect.poll(changed, { timeout: 60_000, interval: 6_000 }).toBe(true);
}

/** learned waits until replicas know the names of all ticket keys: a server makes a key when it starts, and probes find it. */
async function learned(): Promise<void> {
  const home = async () => (await client.visit({ address, port: tlsPort, users, returns })).home;
  await expect.poll(home, { ...patience, interval: 1_000 }).toBe(users * returns);
  await settled();
}

type Counted = Visits & { accepted: number; refused: number };

/** visit returns what users saw, and how many connections the kernels of the pods' nodes created for replicas. */
async function visit(meanwhile?: () => Promise<void>): Promise<Counted> {
  const counts = () => Promise.all(["accepted", "refused"].map((what) => companionCount(nodes, what)));
  const before = await counts();
  const visiting = client.visit({ address, port: tlsPort, users, returns: meanwhile ? 10 * returns : returns });
  await meanwhile?.();
  const seen = await visiting;
  const since = async () => (await counts()).map((each, at) => each - (before[at] ?? 0));
  // Agents read the counters when they report.
  await expect.poll(async () => (await since())[0], patience).toBeGreaterThanOrEqual(seen.connections);
  const [accepted = 0, refused = 0] = await since();
  return { ...seen, accepted, refused };
}

/** all is the result of visits of which each connection was taken by session, and each return reached its pod. */
const all = (pods: string[], each = returns) => ({
  ...{ connections: users * (each + 1), returns: users * each, resumed: users * each, home: users * each },
  ...{ errors: [], pods, accepted: users * (each + 1), refused: 0 },
});

it("takes every connection to unchanged pods of nginx by session, and returns clients to the pod of their session", async () => {
  await expect.poll(() => readyPods(nodes, name), patience).toHaveLength(count);
  const pods = await takesAll();
  await learned();
  expect(await visit()).toEqual(all(pods));
}, 240_000);

it("continues while the agents of all nodes are killed", async () => {
  const pods = await takesAll();
  const killed = async () => {
    const ended = await Promise.all(nodes.names.map((node) => nodes.killContainers(node, "backend")));
    expect(ended).toEqual([1, 1]);
  };
  expect(await visit(killed)).toEqual(all(pods, 10 * returns));
  await takesAll();
  expect(await visit()).toEqual(all(pods));
}, 240_000);

it("takes connections to servers whose containers were restarted, and to a pod that replaced another", async () => {
  const before = await readyPods(nodes, name);
  const [replaced, ...others] = before;
  await nodes.control.api.delete(`/api/v1/namespaces/default/pods/${replaced?.name}`);
  const names = async () => (await readyPods(nodes, name)).map((each) => each.name);
  await expect.poll(names, patience).not.toContain(replaced?.name);
  await expect.poll(names, patience).toHaveLength(count);
  const node = others[0]?.node ?? "";
  expect(await nodes.killContainers(node, "nginx")).toBeGreaterThan(0);
  // A container that restarts fast never counts as not ready.
  const restarted = async () =>
    (await readyPods(nodes, name)).filter((each) => each.node !== node || each.restarts > 0);
  await expect.poll(restarted, patience).toHaveLength(count);
  const pods = await takesAll();
  expect(pods).not.toContain(replaced?.name);
  await learned();
  expect(await visit()).toEqual(all(pods));
}, 240_000);

it("returns clients to their pods while keys that these read from a Secret are rotated", async () => {
  const desk = "desk";
  await deployManagedNginx(nodes, desk);
  const ticketKeys = {
    software: "nginx",
    folder: "/etc/nginx/tickets",
    secret: `${desk}-tickets`,
    rotateHours: 24,
  } as const;
  const { id } = await stage.expose({
    ...{ clusterId, name: desk, workload: { namespace: "default", kind: "deployment", name: desk } },
    ...{ ports: [{ port: tlsPort, protocol: "tcp" }], strategy: { ...strategy, poolId, names: "managed", ticketKeys } },
  });
  const session = async () => {
    await stage.mark(id);
    return (await getExposure(now(), id)).session;
  };
  const rotation = async () => {
    const { phase, epoch, message } = (await session())?.ticketRotation ?? {};
    return [phase, epoch, message];
  };
  const all = "All servers have the newest keys.";
  await expect.poll(() => readyPods(nodes, desk), patience).toHaveLength(count);
  await takesAll(desk, id);
  await expect.poll(rotation, patience).toEqual(["idle", 1, all]);
  await serves(id);

  await rotateTicketKeys(now(), id);
  const of = { address: await addressOf(id), port: tlsPort, users };
  const seen: Visits[] = [];
  do seen.push(await client.visit({ ...of, returns: 10, pauseMs: 300 }));
  while ((await rotation())[0] !== "retiring");
  seen.push(await client.visit({ ...of, returns }));
  const sum = (each: "returns" | "resumed" | "home") => seen.reduce((total, visits) => total + visits[each], 0);
  const errors = seen.flatMap((each, call) =>
    each.errors.map((error) => `visits ${call + 1} of ${seen.length}: ${error}`),
  );
  expect(errors, errors.join("; ")).toEqual([]);
  expect([sum("resumed"), sum("home")]).toEqual([sum("returns"), sum("returns")]);
  expect((await rotation()).slice(0, 2)).toEqual(["retiring", 2]);
  const names = ((await session())?.backends ?? []).map((each) => [each.names[0]?.name, each.ticketKey?.name]);
  expect(names).toHaveLength(count);
  for (const [used, newest] of names) expect(used).toBe(newest);
}, 240_000);
