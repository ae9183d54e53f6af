import { beforeAll, describe, expect, it } from "vitest";
import { type KubernetesObject, sharedControlPlane } from "./index.ts";

type Pod = KubernetesObject & {
  spec: { nodeName?: string };
  status: { phase: string; podIP?: string; hostIP?: string; conditions?: { type: string; status: string }[] };
};
type List<T> = { items: T[] };
type Workload = KubernetesObject & { status: { readyReplicas?: number } };
type Service = KubernetesObject & { spec: { clusterIP: string } };
type Slice = KubernetesObject & { endpoints: { addresses: string[]; conditions: { ready?: boolean } }[] };

const controlPlane = sharedControlPlane();
const { api } = controlPlane;
const patience = { timeout: 30_000, interval: 50 };
let namespace: string;
beforeAll(async () => {
  namespace = await controlPlane.createNamespace();
});

function workload(name: string, replicas: number, more: { spec?: object; pod?: object } = {}): object {
  const labels = { app: name };
  const spec = { terminationGracePeriodSeconds: 2, containers: [{ name: "app", image: "example.test/app:1" }] };
  return {
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels, ...more.pod }, spec },
      ...more.spec,
    },
  };
}

const apps = (kind: string, name = "") => `/apis/apps/v1/namespaces/${namespace}/${kind}/${name}`.replace(/\/$/, "");
const core = (kind: string, name = "") => `/api/v1/namespaces/${namespace}/${kind}/${name}`.replace(/\/$/, "");
const podsOf = async (app: string) => (await api.get<List<Pod>>(`${core("pods")}?labelSelector=app%3D${app}`)).items;
const readyOf = async (path: string) => (await api.get<Workload>(path)).status.readyReplicas ?? 0;

describe("a control plane for tests", () => {
  it("runs the pods of a Deployment on its nodes, each with its own address", async () => {
    await api.create(apps("deployments"), workload("web", 12));
    await expect.poll(() => readyOf(apps("deployments", "web")), patience).toBe(12);
    const pods = await podsOf("web");
    expect(new Set(pods.map((pod) => pod.status.phase))).toEqual(new Set(["Running"]));
    const addresses = pods.map((pod) => pod.status.podIP ?? "");
    expect(addresses.filter((address) => /^10\.24[4-7]\./.test(address))).toHaveLength(12);
    expect(new Set(addresses).size).toBe(12);
    for (const { spec, status } of pods) expect(status.hostIP).toBe(`10.240.0.${spec.nodeName?.replace("node-", "")}`);
    expect(new Set(pods.map(({ spec }) => spec.nodeName))).toEqual(new Set(["node-1", "node-2", "node-3"]));
  });

  it("starts the pods of a StatefulSet one after the other, with their names", async () => {
    await api.create(apps("statefulsets"), workload("store", 3, { spec: { serviceName: "store" } }));
    await expect.poll(() => readyOf(apps("statefulsets", "store")), patience).toBe(3);
    const pods = await podsOf("store");
    expect(pods.map(({ metadata }) => metadata.name).sort()).toEqual(["store-0", "store-1", "store-2"]);
  });

  it("has pods ready within a second after scheduling, if the machine isn't busy", async () => {
    await api.create(apps("deployments"), workload("quick", 0));
    const placed = new Map<string, number>();
    const ready = new Map<string, number>();
    const watched = (async () => {
      const path = `${core("pods")}?labelSelector=app%3Dquick&watch=1`;
      for await (const { object } of api.watch<Pod>(path, AbortSignal.timeout(30_000))) {
        const { metadata, spec, status } = object;
        if (spec.nodeName && !placed.has(metadata.name)) placed.set(metadata.name, performance.now());
        const isReady = status.conditions?.some((each) => each.type === "Ready" && each.status === "True");
        if (isReady && !ready.has(metadata.name)) ready.set(metadata.name, performance.now());
        if (ready.size === 5) return;
      }
    })();
    await api.merge(apps("deployments", "quick"), { spec: { replicas: 5 } });
    await watched;
    const tookMs = [...ready].map(([name, at]) => at - (placed.get(name) ?? 0));
    expect(Math.min(...tookMs)).toBeLessThan(1_000);
  });

  it("assigns addresses to Services, and keeps their endpoints current", async () => {
    await api.create(apps("deployments"), workload("served", 2));
    const service = { metadata: { name: "served" }, spec: { selector: { app: "served" }, ports: [{ port: 80 }] } };
    const { spec } = await api.create<Service>(core("services"), service);
    expect(spec.clusterIP).toMatch(/^10\.96\.\d+\.\d+$/);
    const slices = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices?labelSelector=kubernetes.io%2Fservice-name%3Dserved`;
    const endpoints = async () =>
      (await api.get<List<Slice>>(slices)).items
        .flatMap((slice) => slice.endpoints ?? [])
        .flatMap(({ addresses, conditions }) => (conditions.ready ? addresses : []))
        .sort();
    await expect.poll(endpoints, patience).toHaveLength(2);
    expect(await endpoints()).toEqual((await podsOf("served")).map((pod) => pod.status.podIP).sort());
    await api.merge(apps("deployments", "served"), { spec: { replicas: 0 } });
    await expect.poll(endpoints, patience).toEqual([]);
  });

  it("removes a pod at once, or with the lingers annotation after its grace period", async () => {
    await api.create(apps("deployments"), workload("goes", 1));
    await api.create(
      apps("deployments"),
      workload("drains", 1, { pod: { annotations: { "fairlead.dev/lingers": "yes" } } }),
    );
    for (const name of ["goes", "drains"])
      await expect.poll(() => readyOf(apps("deployments", name)), patience).toBe(1);
    const lastsMs = async (name: string) => {
      const began = performance.now();
      await api.merge(apps("deployments", name), { spec: { replicas: 0 } });
      await expect.poll(() => podsOf(name), patience).toEqual([]);
      return performance.now() - began;
    };
    const [goes, drains] = await Promise.all([lastsMs("goes"), lastsMs("drains")]);
    expect(drains).toBeGreaterThan(1_000); // its deletion is written in whole seconds
    expect(goes).toBeLessThan(drains);
  });

  it("authenticates users by certificate, and grants them the permissions of their groups", async () => {
    const admin = await controlPlane.createUser("ada", ["system:masters"]);
    const bob = await controlPlane.createUser("bob");
    expect(await controlPlane.apiFor(admin).get<List<Pod>>(core("pods"))).toHaveProperty("items");
    await expect(controlPlane.apiFor(bob).get(core("pods"))).rejects.toThrow(/403: pods is forbidden: User "bob"/);
    await expect(controlPlane.apiFor({ token: "wrong" }).get(core("pods"))).rejects.toMatchObject({ code: 401 });
  });

  it("refuses a ServiceAccount requests outside its rules, and all requests once it is revoked", async () => {
    const rules = [{ apiGroups: [""], resources: ["services"], verbs: ["list"] }];
    const account = await controlPlane.createServiceAccount(namespace, rules);
    const its = controlPlane.apiFor({ token: account.token });
    expect(await its.get<List<Service>>("/api/v1/services")).toHaveProperty("items");
    await expect(its.get("/api/v1/pods")).rejects.toMatchObject({ code: 403 });
    await account.revoke();
    const code = () =>
      its.get("/api/v1/services").then(
        () => 200,
        (error: { code: number }) => error.code,
      );
    await expect.poll(code, patience).toBe(401);
  });

  it("is reached through a connection that can be cut during a watch", async () => {
    const line = await controlPlane.openLine();
    try {
      expect(line.kubeconfig).toContain(line.url);
      const behind = controlPlane.apiFor({ token: controlPlane.access.adminToken }, line.url);
      const watch = behind.watch(
        `${core("configmaps")}?watch=1&fieldSelector=metadata.name%3Dseen`,
        AbortSignal.timeout(30_000),
      );
      const first = watch.next();
      await api.create(core("configmaps"), { metadata: { name: "seen" } });
      expect((await first).value).toMatchObject({ type: "ADDED", object: { metadata: { name: "seen" } } });
      const next = watch.next();
      line.cut();
      await expect(next).rejects.toThrow();
      await expect(behind.get(core("configmaps"))).rejects.toThrow();
      line.mend();
      expect(await behind.get(core("configmaps", "seen"))).toMatchObject({ metadata: { name: "seen" } });
    } finally {
      await line.stop();
    }
  });
});
