import { describe, expect, it } from "vitest";
import { samplePod } from "../testing/sample-pod.ts";
import type { EndpointSlice, Node, Service } from "../view/objects.ts";
import { loadBalancerLabel } from "./marks.ts";
import { observer } from "./observe.ts";
import type { PickedInstance } from "./pick-instances.ts";

const instance = (name: string, other: Parameters<typeof samplePod>[1] = {}): PickedInstance => {
  const pod = samplePod(name, { labels: { is: name }, ...other });
  return { name, pod, ready: pod.ready && !pod.terminating, selector: { is: name } };
};
const service = (spec: Service["spec"], other: Partial<Service> = {}): Service => ({
  namespace: "default",
  name: "cache-redis-0",
  uid: "uid-service",
  labels: { [loadBalancerLabel]: "lb_1" },
  annotations: {},
  owners: [],
  terminating: false,
  createdAt: "",
  ingress: [{ ip: "192.0.2.7" }],
  spec: { type: "LoadBalancer", ports: [{ port: 6379, targetPort: 6380, protocol: "TCP", nodePort: 30_001 }], ...spec },
  ...other,
});
const node = (other: Partial<Node>): Node => ({
  namespace: "",
  name: "node-1",
  uid: "uid-node",
  labels: {},
  ready: true,
  providerId: "",
  internalAddresses: ["10.0.0.1"],
  externalAddresses: [],
  allocatable: { cpuCores: null, memoryBytes: null },
  ...other,
});
const sees = (nodes: Node[] = [], slices: EndpointSlice[] = [], complaint: string | null = null) => ({
  nodes: { items: new Map(nodes.map((each) => [`/${each.name}`, each])) } as never,
  slicesOf: () => slices,
  complaintOf: () => complaint,
});
const observe = (service: Service, instances: PickedInstance[], seen = sees(), now = new Date()) =>
  observer(instances, seen, now)("lb_1", service);
const selected = { selector: { is: "redis-0" } };

describe("a load balancer of one instance", () => {
  it("is serving, and maps its pod's address to its own", () => {
    const redis = instance("redis-0", { addresses: ["10.1.0.5"] });
    expect(observe(service(selected), [redis, instance("redis-1")], sees())).toEqual({
      id: "lb_1",
      phase: "serving",
      message: "",
      address: "192.0.2.7",
      replicas: [],
      backends: [
        {
          instance: "redis-0",
          protocol: "tcp",
          address: "10.1.0.5",
          port: 6380,
          weight: 1,
          state: "active",
          health: "up",
        },
      ],
      mappings: [
        {
          instance: "redis-0",
          pod: "redis-0",
          node: "node-1",
          protocol: "tcp",
          internalAddress: "10.1.0.5",
          internalPort: 6380,
          externalAddress: "192.0.2.7",
          externalPort: 6379,
          ready: true,
        },
      ],
    });
  });

  it("is pending without an address, and its message explains why", () => {
    const seen = observe(service(selected, { ingress: [] }), [instance("redis-0")], sees());
    expect(seen).toMatchObject({ phase: "pending", address: null, mappings: [] });
    expect(seen.message).toContain("waiting for a load balancer controller of its cluster");
  });

  it.each([
    ["is not ready", { ready: false }, "active", "The pod redis-0 is not ready."],
    ["is terminating", { terminating: true }, "draining", "The pod redis-0 is not ready."],
  ])("is degraded while its pod %s", (_, other, state, message) => {
    const seen = observe(service(selected), [instance("redis-0", other)], sees());
    expect(seen).toMatchObject({ phase: "degraded", message });
    expect(seen.backends[0]?.state).toBe(state);
    expect(seen.mappings[0]?.ready).toBe(false);
  });

  it("maps nothing while its instance is missing", () => {
    const away = { ...instance("redis-0"), pod: null, ready: false };
    expect(observe(service(selected), [away], sees())).toMatchObject({
      phase: "degraded",
      address: "192.0.2.7",
      mappings: [],
      backends: [],
    });
  });

  it("maps each address to one of its family, and both to a hostname", () => {
    const both = instance("redis-0", { addresses: ["10.1.0.5", "2001:db8::5"] });
    const mapped = (ingress: Service["ingress"]) =>
      observe(service(selected, { ingress }), [both], sees()).mappings.map(
        (each) => `${each.internalAddress} ${each.externalAddress}`,
      );
    expect(mapped([{ ip: "192.0.2.7" }, { ip: "2001:db8:1::7" }])).toEqual([
      "10.1.0.5 192.0.2.7",
      "2001:db8::5 2001:db8:1::7",
    ]);
    expect(mapped([{ hostname: "a.example.com" }])).toEqual(["10.1.0.5 a.example.com", "2001:db8::5 a.example.com"]);
    expect(mapped([{ ip: "192.0.2.7" }])).toEqual(["10.1.0.5 192.0.2.7"]);
  });

  it("with node ports is reached at its pod's node", () => {
    const spec = { type: "NodePort", ...selected };
    const seen = (nodes: Node[]) => observe(service(spec, { ingress: [] }), [instance("redis-0")], sees(nodes));
    expect(seen([node({})])).toMatchObject({
      phase: "serving",
      address: "10.0.0.1",
      mappings: [{ externalPort: 30_001 }],
    });
    expect(seen([node({ externalAddresses: ["192.0.2.1"] })]).address).toBe("192.0.2.1");
    expect(seen([]).mappings).toEqual([]);
  });

  it("reports that it is being removed", () => {
    const seen = observe(service(selected, { terminating: true }), [instance("redis-0")], sees());
    expect(seen).toMatchObject({ phase: "pending", message: expect.stringContaining("is being removed") });
  });
});

describe("the message", () => {
  it("reports a pod without an address", () => {
    const redis = instance("redis-0", { addresses: [], ready: false });
    expect(observe(service(selected), [redis, instance("redis-1")])).toMatchObject({
      phase: "degraded",
      message: "The pod redis-0 has no address yet.",
      mappings: [],
    });
  });

  it("reports a Service without an address, and what to check after some time", () => {
    const at = (minutes: number) => new Date(Date.UTC(2026, 10, 25, 12, minutes));
    const waiting = service(selected, { ingress: [], createdAt: at(0).toISOString() });
    const after = (minutes: number) => observe(waiting, [instance("redis-0")], sees(), at(minutes));
    expect(after(2)).toMatchObject({
      phase: "pending",
      message:
        "The Service default/cache-redis-0 has no address yet: waiting for a load balancer controller of its cluster.",
    });
    expect(after(4).message).toMatch(/no address for more than 3 minutes: check/);
    expect(after(400).message).toBe(after(4).message);
  });
});

describe("a controller's warning", () => {
  const complaint = "service-controller reports: Error syncing load balancer: quota exceeded";
  const observed = (other: Partial<Service>) =>
    observe(service(selected, other), [instance("redis-0")], sees([], [], complaint), new Date());

  it("is quoted for a Service without an address, at any age, and for one that can't be removed", () => {
    expect(observed({ ingress: [], createdAt: "2026-01-31T12:00:00Z" })).toMatchObject({
      phase: "pending",
      message: `The Service default/cache-redis-0 has no address. ${complaint}`,
    });
    expect(observed({ terminating: true }).message).toBe(
      `The Service default/cache-redis-0 is being removed by its load balancer controller. ${complaint}`,
    );
  });

  it("isn't shown once there is an address", () => {
    expect(observed({})).toMatchObject({ phase: "serving", message: "" });
  });
});

describe("one address for all instances", () => {
  it("maps each instance to its own port of it", () => {
    const [a, b] = [instance("redis-0", { addresses: ["10.1.0.5"] }), instance("redis-1", { addresses: ["10.1.0.6"] })];
    const slice = (of: PickedInstance, port: number): EndpointSlice => ({
      namespace: "default",
      name: `slice-${of.name}`,
      uid: `uid-slice-${of.name}`,
      labels: {},
      addressType: "IPv4",
      endpoints: [{ targetRef: { uid: of.pod?.uid } }],
      ports: [{ name: `tcp-${port}`, port: 6379 }],
    });
    const shared = service({
      ports: [6379, 6380].map((port) => ({ name: `tcp-${port}`, port, targetPort: 6379, protocol: "TCP" })),
    });
    const seen = observe(shared, [a, b], sees([], [slice(b, 6380), slice(a, 6379)]));
    expect(seen.mappings.map((each) => `${each.internalAddress}:${each.internalPort} ${each.externalPort}`)).toEqual([
      "10.1.0.5:6379 6379",
      "10.1.0.6:6379 6380",
    ]);
  });
});
