import type { Strategy } from "@fairlead/domain/exposure";
import {
  controlPlaneAddress,
  type KubernetesObject,
  type Nodes,
  startMetallb,
  startNodes,
} from "@fairlead/drivers/kubernetes-testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startBalancerPods } from "./testing/balancer-pods.ts";
import { type ClusterStage, setClusterStage } from "./testing/cluster-stage.ts";
import { type Ends, type MapSource, RedisClient } from "./testing/redis-client.ts";
import {
  addressKnownBy,
  deployRedis,
  firstSlotOf,
  makeCluster,
  masterOf,
  redisPort,
  whoIs,
} from "./testing/redis-in-pods.ts";
import { serveMap } from "./testing/serve-map.ts";

const patience = { timeout: 90_000, interval: 100 };
const instances = Array.from({ length: 6 }, (_, number) => `redis-${number}`);
/** Addressing modes of Services; Fairlead's own balancers are added. */
const addressings = ["dedicated", "shared-port", "node-port"] as const;

/** Way is one way to reach the instances, and an application that uses it. */
type Way = {
  name: string;
  exposureId: string;
  ends: Ends;
  map: MapSource;
  client: RedisClient;
  stop: () => Promise<void>;
};

let nodes: Nodes;
let stage: ClusterStage;
let clusterId: string;
const ways: Way[] = [];

beforeAll(async () => {
  [nodes, stage] = await Promise.all([startNodes({ count: 3 }), setClusterStage({ names: [controlPlaneAddress] })]);
  clusterId = await stage.attach(nodes.control.kubeconfig, "fra-01");
  await Promise.all([deployRedis(nodes), startMetallb(nodes)]);
  const poolId = await startBalancerPods(nodes, stage, clusterId);
  for (const addressing of addressings) ways.push(await open(addressing, { type: "per-replica", addressing }));
  ways.push(await open("balancer", { type: "per-replica", addressing: "balancer", replicas: 2, poolId }));
  const [first] = ways;
  if (!first) throw new Error("no way is configured");
  const map = await mapOf(first.exposureId);
  await makeCluster(
    first.client,
    map.map(({ internalAddress, ...each }) => ({ internal: internalAddress, external: endOf(each) })),
  );
}, 300_000);
afterAll(async () => {
  for (const each of ways) await each.stop();
  await stage?.stop();
  await nodes?.stop();
});

const mapOf = (exposureId: string) =>
  stage.database.db.addressMapping.findMany({ where: { exposureId }, orderBy: { instance: "asc" } });
const readyOf = async (exposureId: string) =>
  (await mapOf(exposureId)).filter((each) => each.ready && each.externalAddress);
const endOf = (each: { externalAddress: string; externalPort: number }) => ({
  host: each.externalAddress,
  port: each.externalPort,
});

async function open(name: string, strategy: Strategy): Promise<Way> {
  const workload = { namespace: "default", kind: "stateful-set" as const, name: "redis" };
  const ports = [{ port: redisPort, protocol: "tcp" as const }];
  const { id } = await stage.expose({ clusterId, name, workload, ports, strategy });
  await vi.waitFor(async () => expect(await readyOf(id)).toHaveLength(instances.length), patience);
  const served = await serveMap(stage, id);
  const { address, port } = nodes.lead(Number(new URL(served.edge.url).port));
  const client = new RedisClient(nodes);
  return {
    ...{ name, exposureId: id, client, ends: (await readyOf(id)).map(endOf) },
    map: { url: `http://${address}:${port}`, exposureId: id, apiKey: served.edge.key },
    async stop() {
      await client.stop();
      await served.stop();
    },
  };
}

/** recreate deletes an instance's pod, and returns the replacement's address once it is ready in all maps. */
async function recreate(instance: string): Promise<string> {
  type Pod = KubernetesObject & { status: { podIP?: string } };
  const path = `/api/v1/namespaces/default/pods/${instance}`;
  const before = await nodes.control.api.get<Pod>(path);
  await nodes.control.api.delete(path);
  const next = () => nodes.control.api.get<Pod>(path).catch(() => before);
  const address = async () => {
    const { metadata, status } = await next();
    return metadata.uid === before.metadata.uid ? undefined : status.podIP;
  };
  await expect.poll(address, patience).toEqual(expect.any(String));
  const own = await address();
  for (const { exposureId } of ways)
    await expect
      .poll(async () => (await readyOf(exposureId)).map((each) => each.internalAddress), patience)
      .toContain(own);
  return String(own);
}

/** leads waits until an endpoint answers, because the map and the data path are updated separately. It must not lead to another instance. */
async function leads({ name, client, exposureId }: Way, instance: string, id: string): Promise<void> {
  const entry = (await mapOf(exposureId)).find((each) => each.instance === instance);
  if (!entry) throw new Error(`${instance} is not in the map of ${name}`);
  let reply: string | null = null;
  const query = async () => {
    reply = await whoIs(client, endOf(entry)).catch(() => null);
    return reply;
  };
  await expect.poll(query, { ...patience, message: `${name} leads to ${instance}` }).not.toBeNull();
  expect(reply, name).toBe(id);
}

/** whatLeadsTo describes an instance's endpoint that a client can't reach although others could. */
async function whatLeadsTo({ name, client, exposureId }: Way, instance: string): Promise<string> {
  const entry = (await mapOf(exposureId)).find((each) => each.instance === instance);
  if (!entry) return `${instance} is not in the map of ${name}`;
  const tries = Array.from({ length: 10 }, () => whoIs(client, endOf(entry)).catch(String));
  const { db } = stage.database;
  const known = {
    way: name,
    tries: await Promise.all(tries),
    pod: (await nodes.control.api.get<{ status: unknown }>(`/api/v1/namespaces/default/pods/${instance}`)).status,
    backends: await db.backend.findMany({ where: { instance }, include: { statuses: true } }),
    announced: await db.announcement.findMany({ where: { prefix: { startsWith: `${entry.externalAddress}/` } } }),
    routes: await db.route.findMany({ where: { prefix: { startsWith: `${entry.externalAddress}/` } } }),
  };
  return JSON.stringify(known, (_, value) => (typeof value === "bigint" ? Number(value) : value));
}

/** rejoins waits until a replaced instance is reachable by every way and known to the others of its cluster. */
async function rejoins(instance: string, address: string, id: string): Promise<void> {
  await Promise.all(ways.map((way) => leads(way, instance, id)));
  const [first] = ways;
  if (!first) throw new Error("no way is configured");
  for (const each of await mapOf(first.exposureId))
    await expect
      .poll(() => addressKnownBy(first.client, endOf(each), id), {
        ...patience,
        message: `what ${each.instance} knows`,
      })
      .toEqual({ address, state: "ok" });
}

/** goOn waits until every application has written this many more times. */
async function goOn(times: number): Promise<void> {
  await Promise.all(
    ways.map(async ({ client }) => {
      const before = await client.count();
      await expect.poll(() => client.count(), patience).toBeGreaterThanOrEqual(before + times);
    }),
  );
}

describe("an application outside the network of a Redis Cluster in pods", () => {
  it("can't connect without the map, by any way", async () => {
    for (const { client, ends, map } of ways) {
      expect(await client.try(ends, null)).toEqual({ arrived: 0, tried: 33 });
      expect(await client.try(ends, map)).toEqual({ arrived: 33, tried: 33 });
    }
  });

  it("writes by every way while pods are replaced one after another, with errors only for the replaced one", async () => {
    for (const { name, client, ends, map } of ways) await client.begin(name, ends, map);
    await goOn(100);
    const [first] = ways;
    if (!first) throw new Error("no way is configured");
    const losses: { instance: string; from: number; to: number }[] = [];
    for (const { instance, ...each } of await mapOf(first.exposureId)) {
      const id = await whoIs(first.client, endOf(each));
      const from = Date.now();
      await rejoins(instance, await recreate(instance), id);
      // No pod is missing any more: failures from now on are caused by the map.
      const own = firstSlotOf(instance);
      if (own !== null)
        for (const way of ways) {
          const value = await way.client.read(own).catch(String);
          expect(value, typeof value === "string" ? await whatLeadsTo(way, instance) : way.name).toEqual(
            expect.any(Number),
          );
        }
      losses.push({ instance, from, to: Date.now() });
      await goOn(100);
    }
    for (const { name, client } of ways) {
      const { operations, failures, wrong } = await client.end();
      const unexpected = failures.filter(
        ({ slot, from, to }) =>
          !losses.some((loss) => loss.instance === masterOf(slot) && from <= loss.to && to >= loss.from),
      );
      expect(unexpected, name).toEqual([]);
      expect(wrong, name).toEqual([]);
      expect(operations, name).toBeGreaterThan(instances.length * 100);
      expect(failures.length, name).toBeLessThan(operations * 0.01);
    }
  }, 300_000);
});
