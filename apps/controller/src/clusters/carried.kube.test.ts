import type { Workload } from "@fairlead/domain/exposure";
import { sharedControlPlane, statefulSetOf, workloadOf } from "@fairlead/drivers/kubernetes-testing";
import { createAddressPool, createExposure, deleteExposure, getExposure } from "@fairlead/services";
import { createTestCluster, testSpec } from "@fairlead/services/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestBalancer, type TestBalancer } from "../gateway/testing/test-balancer.ts";
import { type ClusterStage, setClusterStage } from "./testing/cluster-stage.ts";

const patience = { timeout: 30_000, interval: 20 };
// Long enough to observe the intermediate states on a busy machine.
const times = { fillMs: 500, drainMs: 4_000 };
/** Far above the usual time (under a second), far below the 5 minutes until the next full pass, which needs no hint. */
const atOnceMs = 10_000;
const control = sharedControlPlane();
let stage: ClusterStage;
let balancer: TestBalancer;
let clusterId: string;
let poolId: string;
let namespace: string;
beforeAll(async () => {
  stage = await setClusterStage({ times });
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

type Pod = { metadata: { name: string; uid: string }; status: { podIP?: string } };
const pods = async (of = namespace) => (await control.api.get<{ items: Pod[] }>(`/api/v1/namespaces/${of}/pods`)).items;
const podPath = (name: string) => `/api/v1/namespaces/${namespace}/pods/${name}`;
const workloads = (plural: string) => `/apis/apps/v1/namespaces/${namespace}/${plural}`;
const expose = (workload: Omit<Workload, "namespace">) =>
  stage.expose({
    clusterId,
    name: `web-${namespace}`,
    workload: { namespace, ...workload },
    strategy: { type: "ecmp", replicas: 1, poolId },
  });
const serviceOf = (id: string) => balancer.services().find((each) => each.exposureId === id);
/** The states of a balancer's backends of an exposure, by address. */
const statesOf = (id: string) =>
  Object.fromEntries((serviceOf(id)?.backends ?? []).map(({ address, state }) => [address, state]));
/** Every state that an address ever had in a config. */
const pastOf = (id: string, address = "") => [
  ...new Set(
    balancer.configs.flatMap(({ balancer }) =>
      (balancer?.services ?? [])
        .filter((each) => each.exposureId === id)
        .flatMap(({ backends }) => backends.filter((each) => each.address === address).map((each) => each.state)),
    ),
  ),
];
const addressesOf = async (of?: string) => (await pods(of)).flatMap(({ status }) => status.podIP ?? []);
async function allActive(id: string, count: number): Promise<string[]> {
  await expect.poll(async () => (await addressesOf()).length, patience).toBe(count);
  const addresses = await addressesOf();
  await expect
    .poll(() => statesOf(id), patience)
    .toEqual(Object.fromEntries(addresses.map((each) => [each, "active"])));
  return addresses;
}

describe("an exposure of an attached cluster on Fairlead's own agents", () => {
  it.each<[string, Omit<Workload, "namespace">]>([
    ["statefulsets", { kind: "stateful-set", name: "web" }],
    ["deployments", { kind: "deployment", name: "web" }],
    ["daemonsets", { kind: "daemon-set", name: "web" }],
  ])(
    "has the pods of %s as backends, and none of a workload with the same name of another kind",
    async (plural, workload) => {
      const { id } = await expose(workload);
      const others = ["statefulsets", "deployments"].filter((each) => each !== plural);
      for (const other of others) await control.api.create(workloads(other), workloadNamed(other, "other"));
      await control.api.create(workloads(plural), workloadNamed(plural, "mine"));
      const mine = async () => {
        const path = `/api/v1/namespaces/${namespace}/pods?labelSelector=app%3Dmine`;
        return (await control.api.get<{ items: Pod[] }>(path)).items.flatMap(({ status }) => status.podIP ?? []).sort();
      };
      await expect.poll(async () => (await mine()).length, patience).toBeGreaterThan(1);
      await expect
        .poll(async () => [Object.keys(statesOf(id)).sort(), await mine()], patience)
        .toSatisfy(([behind, wanted]) => wanted.length > 1 && behind.join() === wanted.join());
      await deleteExposure({ ...stage.ctx, now: new Date() }, id);
    },
  );

  it("has the pods with its labels, of its own namespace only", async () => {
    const other = await control.createNamespace();
    const { id } = await expose({ kind: "selector", selector: { app: "web" } });
    await control.api.create(`/apis/apps/v1/namespaces/${other}/deployments`, workloadOf("web", 2));
    await expect.poll(async () => (await addressesOf(other)).length, patience).toBe(2);
    await control.api.create(workloads("deployments"), workloadOf("web", 2));
    await allActive(id, 2);
    // A pod that loses its label is removed.
    const [first] = await pods();
    await control.api.merge(podPath(first?.metadata.name ?? ""), { metadata: { labels: { app: null } } });
    await expect.poll(() => statesOf(id)[first?.status.podIP ?? ""], patience).toBe("draining");
    await deleteExposure({ ...stage.ctx, now: new Date() }, id);
  });

  it("drains a terminating pod at once, and adds its replacement", async () => {
    await control.api.create(workloads("statefulsets"), statefulSetOf("web", 2));
    const { id } = await expose({ kind: "stateful-set", name: "web" });
    await allActive(id, 2);
    const [first] = await pods();
    const name = first?.metadata.name ?? "";
    const leaving = first?.status.podIP ?? "";
    // It stays ready, like a pod that finishes its requests.
    await control.api.merge(podPath(name), { metadata: { finalizers: ["example.test/wait"] } });
    const deletedAt = Date.now();
    await control.api.delete(podPath(name));
    await expect.poll(() => statesOf(id)[leaving], { ...patience, interval: 1 }).toBe("draining");
    expect(Date.now() - deletedAt).toBeLessThan(atOnceMs);
    await control.api.merge(podPath(name), { metadata: { finalizers: null } });
    const before = first?.metadata.uid;
    await expect.poll(async () => (await pods()).map(({ metadata }) => metadata.uid), patience).not.toContain(before);
    await allActive(id, 2);
    expect(pastOf(id, leaving)).toEqual(["active", "draining"]);
    await deleteExposure({ ...stage.ctx, now: new Date() }, id);
  });

  it("keeps the connections of a pod that is temporarily not ready", async () => {
    await control.api.create(workloads("statefulsets"), statefulSetOf("web", 1));
    const { id } = await expose({ kind: "stateful-set", name: "web" });
    const [address = ""] = await allActive(id, 1);
    const ready = (status: string) =>
      control.api.merge(`${podPath("web-0")}/status`, { status: { conditions: [{ type: "Ready", status }] } });
    await ready("False");
    await expect.poll(() => statesOf(id), patience).toEqual({ [address]: "draining" });
    await ready("True");
    await expect.poll(() => statesOf(id), patience).toEqual({ [address]: "active" });
    expect(pastOf(id, address)).toEqual(["active", "draining"]);
    await deleteExposure({ ...stage.ctx, now: new Date() }, id);
    await expect.poll(() => stage.database.db.exposure.count({ where: { id } }), patience).toBe(0);
    expect(await stage.database.db.virtualAddress.count({ where: { loadBalancer: { exposureId: id } } })).toBe(0);
  });
});

describe("an exposure of a cluster that is not attached", () => {
  it("reports that its pods are unknown, and what to do", async () => {
    const ctx = { ...stage.ctx, now: new Date() };
    const { cluster, pool } = await createTestCluster(ctx, "203.0.113.0/24", "kubernetes");
    const far = await startTestBalancer(stage.ctx, stage.port, cluster.id, "worker-2");
    const { id } = await createExposure(
      ctx,
      testSpec(pool, { strategy: { type: "ecmp", replicas: 1, poolId: pool.id } }),
    );
    await expect
      .poll(
        async () => (await getExposure(stage.ctx, id)).conditions.find((each) => each.type === "BackendsUp"),
        patience,
      )
      .toMatchObject({
        status: "false",
        reason: "InstancesUnknown",
        message: expect.stringContaining("is not attached"),
      });
    await far.stop();
  });
});

/** All have the name "web"; a label distinguishes their pods. */
function workloadNamed(plural: string, app: string): object {
  const labels = { app };
  const spec = { terminationGracePeriodSeconds: 1, containers: [{ name: "app", image: "example.test/app:1" }] };
  const sized = plural === "daemonsets" ? {} : { replicas: 2 };
  const named = plural === "statefulsets" ? { serviceName: "web", podManagementPolicy: "Parallel" } : {};
  return {
    metadata: { name: "web" },
    spec: { ...sized, ...named, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}
