import type { Workload } from "@fairlead/domain/exposure";
import { sharedControlPlane, statefulSetOf, workloadOf } from "@fairlead/drivers/kubernetes-testing";
import { createAddressPool, deleteExposure, getExposure } from "@fairlead/services";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestBalancer, type TestBalancer } from "../gateway/testing/test-balancer.ts";
import { type ClusterStage, setClusterStage } from "./testing/cluster-stage.ts";

const patience = { timeout: 30_000, interval: 20 };
const control = sharedControlPlane();
let stage: ClusterStage;
let balancer: TestBalancer;
let clusterId: string;
let poolId: string;
let namespace: string;
beforeAll(async () => {
  stage = await setClusterStage({ times: { fillMs: 300, drainMs: 300 } });
  clusterId = await stage.attach(control.kubeconfig, "fra-01");
  const ctx = { ...stage.ctx, now: new Date() };
  poolId = (await createAddressPool(ctx, { clusterId, name: "public", prefix: "198.51.100.0/24", note: "" })).id;
  balancer = await startTestBalancer(stage.ctx, stage.port, clusterId, "worker-1");
});
afterAll(async () => {
  await balancer.stop();
  await stage.stop();
});
beforeEach(async () => {
  namespace = await control.createNamespace();
});

type Pod = { metadata: { name: string; uid: string; labels: Record<string, string> }; status: { podIP?: string } };
const podsPath = () => `/api/v1/namespaces/${namespace}/pods`;
const pods = async () => (await control.api.get<{ items: Pod[] }>(podsPath())).items;
const workloads = (plural: string) => `/apis/apps/v1/namespaces/${namespace}/${plural}`;
const expose = (workload: Omit<Workload, "namespace">, keepSeconds?: number) =>
  stage.expose({
    clusterId,
    name: `each-${namespace}`,
    workload: { namespace, ...workload },
    strategy: {
      ...{ type: "per-replica", addressing: "balancer", replicas: 1, poolId },
      ...(keepSeconds === undefined ? {} : { keepSeconds }),
    },
  });
const entries = (exposureId: string) =>
  stage.database.db.addressMapping.findMany({ where: { exposureId, ready: true }, orderBy: { instance: "asc" } });
const pairs = async (id: string) =>
  Object.fromEntries((await entries(id)).map((each) => [each.instance, each.externalAddress]));
/** The backend of each external address in the balancer's config. */
const carried = (id: string) =>
  Object.fromEntries(
    balancer
      .services()
      .filter((each) => each.exposureId === id)
      .map(({ address, backends }) => [address, backends.filter((b) => b.state !== "draining").map((b) => b.address)]),
  );
const count = (id: string, wanted: number) =>
  expect.poll(async () => Object.keys(await pairs(id)).length, patience).toBe(wanted);
const forget = async (id: string) => {
  await deleteExposure({ ...stage.ctx, now: new Date() }, id);
  await expect.poll(() => stage.database.db.exposure.count({ where: { id } }), patience).toBe(0);
};
/** expectPairs checks that the map, the config and the cluster agree. */
async function expectPairs(id: string): Promise<void> {
  const found = await entries(id);
  const there = new Map((await pods()).map(({ metadata, status }) => [metadata.name, status.podIP]));
  for (const { pod, internalAddress } of found) expect(there.get(pod ?? "")).toBe(internalAddress);
  const wanted = Object.fromEntries(found.map((each) => [each.externalAddress, [each.internalAddress]]));
  await expect.poll(() => carried(id), patience).toEqual(wanted);
}

describe("a Fairlead load balancer for each instance of a Kubernetes cluster", () => {
  it("keeps its address for a replaced pod of a stateful set with a new internal address, regardless of the retention time", async () => {
    await control.api.create(workloads("statefulsets"), statefulSetOf("redis", 3));
    const { id } = await expose({ kind: "stateful-set", name: "redis" }, 0);
    await count(id, 3);
    const first = await pairs(id);
    expect(Object.keys(first)).toEqual(["redis-0", "redis-1", "redis-2"]);
    await expectPairs(id);
    const [before] = await pods();
    const path = `${podsPath()}/redis-0`;
    await control.api.delete(path);
    await expect
      .poll(async () => (await pods()).some(({ metadata }) => metadata.uid === before?.metadata.uid), patience)
      .toBe(false);
    await count(id, 3);
    expect(await pairs(id)).toEqual(first);
    await expect
      .poll(
        () =>
          expectPairs(id).then(
            () => true,
            () => false,
          ),
        patience,
      )
      .toBe(true);

    await control.api.merge(`${workloads("statefulsets")}/redis`, { spec: { replicas: 1 } });
    await expect.poll(() => stage.database.db.loadBalancer.count({ where: { exposureId: id } }), patience).toBe(1);
    expect(await stage.database.db.virtualAddress.count({ where: { loadBalancer: { exposureId: id } } })).toBe(1);
    await forget(id);
  });

  it("uses numbers that a replacement pod of a deployment takes over, and no Service", async () => {
    await control.api.create(workloads("deployments"), workloadOf("web", 2));
    const { id } = await expose({ kind: "deployment", name: "web" });
    await count(id, 2);
    const first = await pairs(id);
    expect(Object.keys(first)).toEqual(["web-0", "web-1"]);
    const [gone] = await pods();
    await control.api.delete(`${podsPath()}/${gone?.metadata.name}`);
    await expect
      .poll(async () => (await entries(id)).map((each) => each.pod).includes(gone?.metadata.name ?? ""), patience)
      .toBe(false);
    await count(id, 2);
    expect(await pairs(id)).toEqual(first);
    await expectPairs(id);
    const { items } = await control.api.get<{ items: object[] }>(`/api/v1/namespaces/${namespace}/services`);
    expect(items).toEqual([]);
    // Pods are marked for it, and unmarked when it is deleted.
    const marked = async () => (await pods()).filter(({ metadata }) => metadata.labels[`instance.fairlead.dev/${id}`]);
    expect(await marked()).toHaveLength(2);
    await forget(id);
    expect(await marked()).toEqual([]);
  });

  it("is one for each node of a daemon set", async () => {
    await control.api.create(workloads("daemonsets"), workloadOf("agent", 1, { replicas: undefined }));
    const { id } = await expose({ kind: "daemon-set", name: "agent" });
    const nodes = (await control.api.get<{ items: { metadata: { name: string } }[] }>("/api/v1/nodes")).items;
    await count(id, nodes.length);
    expect(Object.keys(await pairs(id))).toEqual(nodes.map(({ metadata }) => `agent-${metadata.name}`).sort());
    await expectPairs(id);
    await forget(id);
  });

  it("stays unchanged while the cluster is unreachable", async () => {
    const line = await control.openLine();
    const far = await stage.attach(line.kubeconfig, "fra-02");
    const ctx = { ...stage.ctx, now: new Date() };
    const pool = await createAddressPool(ctx, { clusterId: far, name: "public", prefix: "203.0.113.0/24", note: "" });
    const carrier = await startTestBalancer(stage.ctx, stage.port, far, "worker-2", 2);
    await control.api.create(workloads("statefulsets"), statefulSetOf("redis", 1));
    const { id } = await stage.expose({
      clusterId: far,
      name: "each",
      workload: { namespace, kind: "stateful-set", name: "redis" },
      strategy: { type: "per-replica", addressing: "balancer", replicas: 1, poolId: pool.id },
    });
    await count(id, 1);
    const before = carrier.services();
    line.cut();
    await expect
      .poll(
        async () => {
          await stage.mark(id);
          return (await getExposure(stage.ctx, id)).message;
        },
        { ...patience, interval: 500 },
      )
      .toContain("can't list its instances");
    expect(carrier.services()).toEqual(before);
    expect(Object.keys(await pairs(id))).toEqual(["redis-0"]);
    expect((await getExposure(stage.ctx, id)).phase).toBe("serving");
    await carrier.stop();
    await line.stop();
  }, 120_000);
});

describe("one Fairlead load balancer that distinguishes the instances of a Kubernetes cluster by name", () => {
  it("serves each pod by its name at one address, also a replaced one", async () => {
    await control.api.create(workloads("statefulsets"), statefulSetOf("game", 3));
    const { id } = await stage.expose({
      clusterId,
      name: `named-${namespace}`,
      workload: { namespace, kind: "stateful-set", name: "game" },
      strategy: {
        ...{ type: "per-replica", addressing: "shared-sni", replicas: 1, poolId },
        dnsZone: "games.example.com",
      },
    });
    await count(id, 3);
    const names = async () => (await entries(id)).map((each) => each.serverName);
    expect(await names()).toEqual([0, 1, 2].map((number) => `game-${number}.games.example.com`));
    const [address, ...others] = new Set(Object.values(await pairs(id)));
    expect(others).toEqual([]);
    const leads = async () => {
      const found = (await entries(id)).map((each) => each.internalAddress);
      expect((await pods()).map(({ status }) => status.podIP).sort()).toEqual(found.sort());
      expect(carried(id)[address ?? ""]?.sort()).toEqual(found);
    };
    await expect.poll(() => leads().then(() => true, String), patience).toBe(true);
    const before = await pairs(id);
    const uid = async () => (await pods()).find(({ metadata }) => metadata.name === "game-1")?.metadata.uid;
    const first = await uid();
    await control.api.delete(`${podsPath()}/game-1`);
    await expect.poll(async () => [first, undefined].includes(await uid()), patience).toBe(false);
    await expect.poll(() => pairs(id), patience).toEqual(before);
    await expect.poll(() => leads().then(() => true, String), patience).toBe(true);
    await forget(id);
  });
});
