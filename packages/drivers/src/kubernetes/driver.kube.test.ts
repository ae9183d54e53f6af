import type { DesiredExposure } from "@fairlead/domain/exposure";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { type DriverHarness, testDriverContract } from "../testing/index.ts";
import { exposureLabel, instanceLabel } from "./services/marks.ts";
import {
  type KubernetesObject,
  manifestRules,
  sharedControlPlane,
  statefulSetOf,
  workloadOf,
} from "./testing/index.ts";
import { balancerOf, exposureIn, openStage, type Stage } from "./testing/stage.ts";

const never = new AbortController().signal;
const patience = { timeout: 20_000, interval: 20 };
const control = sharedControlPlane();
const { api } = control;

type Service = KubernetesObject & {
  metadata: { ownerReferences?: { kind: string; name: string }[] };
  spec: {
    type: string;
    selector?: Record<string, string>;
    ports: { name: string; port: number; targetPort: number; nodePort?: number }[];
  };
};
type Slice = KubernetesObject & {
  endpoints: { addresses: string[]; conditions: { ready: boolean } }[];
  ports: { name: string; port: number }[];
};

const core = (namespace: string, kind: string, name = "") =>
  `/api/v1/namespaces/${namespace}/${kind}${name && `/${name}`}`;
const apps = (namespace: string, kind: string, name = "") =>
  `/apis/apps/v1/namespaces/${namespace}/${kind}${name && `/${name}`}`;
const listOf = async <T>(path: string, label = ""): Promise<T[]> =>
  (await api.get<{ items: T[] }>(label ? `${path}?labelSelector=${encodeURIComponent(label)}` : path)).items;
const servicesOf = (exposureId: string) => listOf<Service>("/api/v1/services", `${exposureLabel}=${exposureId}`);

testDriverContract(
  "Kubernetes",
  async () => {
    const namespace = await control.createNamespace();
    await api.create(apps(namespace, "statefulsets"), statefulSetOf("redis", 2));
    const desired = exposureIn(namespace);
    const first = openStage(control);
    const second = openStage(control);
    await expect.poll(async () => (await first.driver.observe(desired, never)).instances.length, patience).toBe(2);
    await expect.poll(async () => (await second.driver.observe(desired, never)).instances.length, patience).toBe(2);
    return {
      driver: first.driver,
      other: second.driver,
      desired,
      changed: { ...desired, ports: [{ port: 6380, targetPort: 6379, protocol: "tcp" }] },
      async damage() {
        const [gone, ...rest] = await servicesOf(desired.id);
        await api.delete(core(namespace, "services", gone?.metadata.name));
        for (const { metadata } of rest)
          await api.merge(core(namespace, "services", metadata.name), { spec: { selector: { app: "another" } } });
        const changed = () => first.view.servicesOf(exposureLabel, desired.id);
        await expect
          .poll(() => changed().map((each) => each.spec.selector?.app), patience)
          .toEqual(rest.map(() => "another"));
      },
      stall: first.stall,
      async close() {
        await first.close();
        await second.close();
      },
    } satisfies DriverHarness;
  },
  // Its cluster assigns the addresses.
  { givesOurAddresses: false },
);

describe("an exposure in Kubernetes, with just the permissions of the manifest", () => {
  let namespace: string;
  let kubeconfig: string;
  let stage: Stage;
  beforeAll(async () => {
    namespace = await control.createNamespace();
    ({ kubeconfig } = await control.createServiceAccount(namespace, manifestRules));
  });
  afterEach(() => stage.close());

  const running = async (
    kind: "statefulsets" | "deployments",
    name: string,
    replicas: number,
    options: Parameters<typeof openStage>[1] = {},
  ) => {
    await api.create(
      apps(namespace, kind),
      kind === "deployments" ? workloadOf(name, replicas) : statefulSetOf(name, replicas),
    );
    stage = openStage(control, { kubeconfig, ...options });
    const pods = () =>
      [...stage.view.pods.items.values()].filter((pod) => pod.namespace === namespace && pod.labels.app === name);
    await expect.poll(() => pods().filter((pod) => pod.ready).length, patience).toBe(replicas);
    return pods;
  };
  const give = (name: string, ...ingress: object[]) =>
    api.merge(`${core(namespace, "services", name)}/status`, { status: { loadBalancer: { ingress } } });

  it("creates a Service for each pod of a stateful set, and maps it once it has an address", async () => {
    const pods = await running("statefulsets", "redis", 2);
    const desired = exposureIn(namespace);
    const { changes, problems } = await stage.driver.set(desired, never);
    expect(problems).toEqual([]);
    expect(changes.map((each) => each.message).sort()).toEqual([
      `created the Service ${namespace}/cache-redis-0`,
      `created the Service ${namespace}/cache-redis-1`,
    ]);
    const services = await servicesOf(desired.id);
    expect(services.map(({ metadata, spec }) => [metadata.name, spec.type, spec.selector])).toEqual([
      ["cache-redis-0", "LoadBalancer", { "statefulset.kubernetes.io/pod-name": "redis-0" }],
      ["cache-redis-1", "LoadBalancer", { "statefulset.kubernetes.io/pod-name": "redis-1" }],
    ]);
    expect(services[0]?.metadata.ownerReferences).toMatchObject([{ kind: "StatefulSet", name: "redis" }]);
    const observe = async () => (await stage.driver.observe(desired, never)).loadBalancers;
    expect((await observe()).map((each) => each.phase)).toEqual(["pending", "pending"]);

    await give("cache-redis-0", { ip: "192.0.2.10" });
    await give("cache-redis-1", { hostname: "b.example.com" });
    await expect
      .poll(async () => (await observe()).map((each) => each.phase), patience)
      .toEqual(["serving", "serving"]);
    const addressOf = (name: string) => pods().find((pod) => pod.name === name)?.addresses[0];
    const mapped = (await observe()).flatMap((each) => each.mappings);
    expect(
      mapped.map((each) => [each.instance, each.internalAddress, each.externalAddress, each.externalPort, each.ready]),
    ).toEqual([
      ["redis-0", addressOf("redis-0"), "192.0.2.10", 6379, true],
      ["redis-1", addressOf("redis-1"), "b.example.com", 6379, true],
    ]);
  });

  it("marks the pods of a deployment, and gives the mark of a removed pod to its successor", async () => {
    const pods = await running("deployments", "web", 2);
    const base = exposureIn(namespace, "web");
    const desired = {
      ...base,
      name: "web",
      workload: { namespace, kind: "deployment" as const, name: "web" },
      loadBalancers: [balancerOf("web-0"), balancerOf("web-1")],
    };
    await stage.driver.set(desired, never);
    const marks = () => new Map(pods().map((pod) => [pod.labels[instanceLabel(desired.id)], pod]));
    await expect.poll(() => [...marks().keys()].sort(), patience).toEqual(["web-0", "web-1"]);
    const [service] = (await servicesOf(desired.id)).filter((each) => each.metadata.name === "web-web-0");
    expect(service?.spec.selector).toEqual({ [instanceLabel(desired.id)]: "web-0" });

    const leaver = marks().get("web-0");
    await api.delete(core(namespace, "pods", leaver?.name));
    const heir = () => pods().find((pod) => !pod.terminating && pod.labels[instanceLabel(desired.id)] === undefined);
    await expect.poll(heir, patience).toBeDefined();
    const { changes } = await stage.driver.set(desired, never);
    expect(changes.map((each) => each.message)).toEqual([expect.stringMatching(/^marked the pod web-.* as web-0$/)]);
    expect((await stage.driver.observe(desired, never)).instances.map((each) => each.name)).toEqual(["web-0", "web-1"]);
    expect((await stage.driver.set(desired, never)).changes).toEqual([]);

    await stage.driver.set({ ...desired, deletedAt: new Date() }, never);
    await expect.poll(() => [...marks().keys()], patience).toEqual([undefined]);
  });

  it("with shared ports is one Service, with endpoints from each port to its pod", async () => {
    const pods = await running("statefulsets", "games", 2);
    const desired = {
      ...exposureIn(namespace, "games"),
      name: "games",
      strategy: { type: "per-replica", addressing: "shared-port" } as const,
      ports: [{ port: 7000, targetPort: 7777, protocol: "udp" as const }],
      loadBalancers: [balancerOf(null, "games")],
    };
    await stage.driver.set(desired, never);
    const [service] = await servicesOf(desired.id);
    expect(service?.spec.selector).toBeUndefined();
    expect(service?.spec.ports.map((each) => [each.port, each.targetPort])).toEqual([
      [7000, 7777],
      [7001, 7777],
    ]);
    const slices = await listOf<Slice>(
      `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`,
      "kubernetes.io/service-name=games",
    );
    const addressOf = (name: string) => pods().find((pod) => pod.name === name)?.addresses;
    expect(
      slices.map((each) => [each.ports, each.endpoints[0]?.addresses, each.endpoints[0]?.conditions.ready]),
    ).toEqual([
      [[expect.objectContaining({ name: "udp-7000", port: 7777 })], addressOf("games-0"), true],
      [[expect.objectContaining({ name: "udp-7001", port: 7777 })], addressOf("games-1"), true],
    ]);
    await give("games", { ip: "192.0.2.20" });
    const mapped = async () =>
      (await stage.driver.observe(desired, never)).loadBalancers.flatMap((each) => each.mappings);
    await expect
      .poll(
        async () => (await mapped()).map((each) => `${each.instance} ${each.externalAddress}:${each.externalPort}`),
        patience,
      )
      .toEqual(["games-0 192.0.2.20:7000", "games-1 192.0.2.20:7001"]);
    expect((await stage.driver.set(desired, never)).changes).toEqual([]);

    // One pod less means one port and its endpoints less.
    await api.merge(apps(namespace, "statefulsets", "games"), { spec: { replicas: 1 } });
    await expect.poll(async () => (await stage.driver.observe(desired, never)).instances.length, patience).toBe(1);
    await stage.driver.set(desired, never);
    expect((await servicesOf(desired.id))[0]?.spec.ports.map((each) => each.port)).toEqual([7000]);
    await stage.driver.set({ ...desired, deletedAt: new Date() }, never);
    expect(await servicesOf(desired.id)).toEqual([]);
  });

  it("with node ports is reached at the node of each pod", async () => {
    await running("statefulsets", "kafka", 1);
    const desired = {
      ...exposureIn(namespace, "kafka", 1),
      name: "kafka",
      strategy: { type: "per-replica", addressing: "node-port" } as const,
    };
    await stage.driver.set(desired, never);
    const [service] = await servicesOf(desired.id);
    const nodePort = service?.spec.ports[0]?.nodePort;
    expect(nodePort).toBeGreaterThan(29_999);
    const { loadBalancers } = await stage.driver.observe(desired, never);
    expect(loadBalancers[0]?.mappings).toMatchObject([{ instance: "kafka-0", externalPort: nodePort, ready: true }]);
    expect(loadBalancers[0]?.mappings[0]?.externalAddress).toMatch(/^10\.240\.0\.\d+$/);
  });

  it("drains the Service of a replaced instance before removing it", async () => {
    let now = new Date();
    await running("statefulsets", "drained", 1, { now: () => now });
    const before = { ...exposureIn(namespace, "drained", 1), name: "drained" };
    await stage.driver.set(before, never);
    const names = async () => (await servicesOf(before.id)).map(({ metadata }) => metadata.name).sort();
    expect(await names()).toEqual(["drained-drained-0"]);
    const shared = balancerOf(null, "drained");
    const after: DesiredExposure = {
      ...before,
      strategy: { type: "per-replica", addressing: "shared-port", drainSeconds: 60 },
      loadBalancers: [...before.loadBalancers.map((each) => ({ ...each, deletedAt: now })), shared],
    };
    now = new Date(now.getTime() + 59_000);
    await stage.driver.set(after, never);
    expect(await names()).toEqual(["drained", "drained-drained-0"]);
    now = new Date(now.getTime() + 2_000);
    await stage.driver.set(after, never);
    expect(await names()).toEqual(["drained"]);
  });

  it("explains what to check if an address is missing for longer than clouds usually take", async () => {
    let now = new Date();
    await running("statefulsets", "patient", 1, { now: () => now });
    const desired = { ...exposureIn(namespace, "patient", 1), name: "patient" };
    await stage.driver.set(desired, never);
    const message = async () => (await stage.driver.observe(desired, never)).loadBalancers[0]?.message;
    expect(await message()).toContain("has no address yet");
    now = new Date(now.getTime() + 4 * 60_000);
    expect(await message()).toContain("has had no address for more than 3 minutes");
  });
});
