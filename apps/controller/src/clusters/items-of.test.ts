import type { ClusterView, Node, Pod, Service } from "@fairlead/drivers/kubernetes";
import { expect, it } from "vitest";
import { itemsOf } from "./items-of.ts";

type Seen = Parameters<typeof itemsOf>[0];
const keyed = <Kept extends { namespace: string; name: string }>(...items: Kept[]) => ({
  items: new Map(items.map((each) => [`${each.namespace}/${each.name}`, each])),
});
const named = (name: string, namespace = "shop") => ({ namespace, name, uid: name, labels: {} });
const owner = { apiVersion: "apps/v1", kind: "StatefulSet", name: "redis", uid: "u" };
const unlimited = { cpuCores: null, memoryBytes: null };
const pod = (name: string, change: Partial<Pod> = {}): Pod => ({
  ...named(name),
  ...{ owner, createdAt: "", nodeName: "a", addresses: [], ready: true, terminating: false, ended: false },
  limits: unlimited,
  ...change,
});
const service = (name: string, change: Partial<Service> = {}): Service => ({
  ...named(name),
  ...{ annotations: {}, owners: [], terminating: false, createdAt: "", spec: { type: "LoadBalancer" }, ingress: [] },
  ...change,
});
const workload: ReturnType<ClusterView["workloads"]>[number] = {
  ...named("redis"),
  ...{ kind: "stateful-set", replicas: 3, firstOrdinal: 0, selector: {} },
};

function see({ nodes = [], pods = [], services = [] }: { nodes?: Node[]; pods?: Pod[]; services?: Service[] }) {
  return itemsOf({
    nodes: keyed(...nodes),
    pods: keyed(...pods),
    services: keyed(...services),
    workloads: () => [workload],
  } as unknown as Seen);
}

it("counts the pods of a workload that accept new connections", () => {
  const pods = [pod("redis-0"), pod("redis-1", { ready: false }), pod("redis-2", { terminating: true })];
  expect(see({ pods: [...pods, pod("other-0", { namespace: "elsewhere" })] })).toEqual([
    { kind: "stateful-set", namespace: "shop", name: "redis", desired: 3, ready: 1, addresses: [] },
  ]);
});

it("lists the addresses of nodes, external ones first", () => {
  const node = {
    ...named("a", ""),
    ready: true,
    providerId: "",
    internalAddresses: ["10.0.0.1"],
    externalAddresses: ["203.0.113.1"],
    allocatable: unlimited,
  };
  expect(see({ nodes: [node] })[0]).toEqual({
    ...{ kind: "node", namespace: "", name: "a", desired: 1, ready: 1 },
    addresses: ["203.0.113.1", "10.0.0.1"],
  });
});

it("lists only external Services that don't belong to Fairlead", () => {
  const services = [
    service("web", { ingress: [{ ip: "203.0.113.7" }, { hostname: "lb.example.com" }] }),
    service("waits"),
    service("inside", { spec: { type: "ClusterIP" } }),
    service("ours", { labels: { "app.kubernetes.io/managed-by": "fairlead" } }),
    service("going", { terminating: true }),
    service("ports", { spec: { type: "NodePort" } }),
  ];
  expect(
    see({ services }).flatMap(({ kind, name, ready, addresses }) =>
      kind === "service" ? [[name, ready, addresses]] : [],
    ),
  ).toEqual([
    ["web", 1, ["203.0.113.7", "lb.example.com"]],
    ["waits", 0, []],
    ["ports", 1, []],
  ]);
});
