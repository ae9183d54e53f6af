import { canonicalJson } from "@fairlead/domain";
import type { ObservedLoadBalancer, ObservedMapping, Protocol } from "@fairlead/domain/exposure";
import type { EndpointSlice, Pod, Service } from "../view/objects.ts";
import type { ClusterView } from "../view/view.ts";
import { loadBalancerLabel } from "./marks.ts";
import type { PickedInstance } from "./pick-instances.ts";

type Seen = Pick<ClusterView, "nodes" | "slicesOf" | "complaintOf">;

/** observer returns the state of each load balancer of an exposure, from its Service and the pods behind it. */
export function observer(
  instances: readonly PickedInstance[],
  view: Seen,
  now: Date,
): (id: string, service: Service) => ObservedLoadBalancer {
  // Most Services select a single instance of possibly thousands.
  const bySelector = new Map(instances.map((each) => [canonicalJson(each.selector), [each]]));
  return (id, service) => {
    const { selector } = service.spec;
    const own = selector && bySelector.get(canonicalJson(selector));
    const reached = selector ? selected(service, own ?? instances) : bySlices(service, instances, view);
    const addresses = addressesOf(service);
    const mappings = reached.flatMap((each) => mappingsOf(each, externalOf(service, each, view)));
    return {
      id,
      ...judge(service, addresses, {
        instances,
        own: own?.[0]?.pod ?? null,
        reached,
        complaint: view.complaintOf(service),
        now,
      }),
      address: addresses[0] ?? mappings[0]?.externalAddress ?? null,
      replicas: [],
      backends: reached.flatMap(backendsOf),
      mappings,
    };
  };
}

/** Reached is an instance that a Service forwards to, and its ports. */
type Reached = { instance: PickedInstance; pod: Pod; ports: Open[] };
type Open = { protocol: Protocol; external: number; nodePort: number | null; internal: number };

function selected({ spec: { selector = {}, ports = [] } }: Service, instances: readonly PickedInstance[]): Reached[] {
  const open = ports.map((each) => ({
    protocol: protocolOf(each.protocol),
    external: each.port,
    nodePort: each.nodePort ?? null,
    // Fairlead sets only numbers; a name is a manual edit that will be reverted.
    internal: typeof each.targetPort === "number" ? each.targetPort : each.port,
  }));
  return instances.flatMap((instance) => {
    const { pod } = instance;
    if (!pod || pod.addresses.length === 0) return [];
    const isPicked = Object.entries(selector).every(([key, value]) => pod.labels[key] === value);
    return isPicked ? [{ instance, pod, ports: open }] : [];
  });
}

/** Endpoints that Fairlead writes refer to their pods, and their ports have the names of the Service's ports. */
function bySlices(service: Service, instances: readonly PickedInstance[], view: Seen): Reached[] {
  const byPod = new Map(instances.flatMap((each) => (each.pod ? [[each.pod.uid, each] as const] : [])));
  const open = new Map<PickedInstance, Map<string, Open>>();
  for (const slice of view.slicesOf(loadBalancerLabel, service.labels[loadBalancerLabel] ?? "")) {
    const { endpoints, ports } = readSlice(slice);
    for (const { targetRef } of endpoints) {
      const instance = byPod.get(targetRef?.uid ?? "");
      if (!instance) continue;
      const found = open.get(instance) ?? new Map<string, Open>();
      open.set(instance, found);
      for (const { name, port: internal } of ports) {
        const front = service.spec.ports?.find((each) => each.name === name);
        if (front)
          found.set(name, {
            protocol: protocolOf(front.protocol),
            external: front.port,
            nodePort: front.nodePort ?? null,
            internal,
          });
      }
    }
  }
  // The order of slices is undefined.
  return instances.flatMap((instance) => {
    const ports = open.get(instance);
    return instance.pod && ports ? [{ instance, pod: instance.pod, ports: [...ports.values()] }] : [];
  });
}

/** Fairlead wrote these slices, so their fields are known. */
function readSlice({ endpoints, ports }: EndpointSlice) {
  return {
    endpoints: endpoints as { targetRef?: { uid: string } }[],
    ports: ports as { name: string; port: number }[],
  };
}

function addressesOf({ spec: { type }, ingress }: Service): string[] {
  return type === "NodePort" ? [] : ingress.flatMap(({ ip, hostname }) => ip ?? hostname ?? []);
}

type External = { address: string; portOf: (open: Open) => number | null };

/** With a node port, an instance is reached at its node's external address, or at the internal one if there is none. */
function externalOf(service: Service, { pod }: Reached, { nodes }: Seen): External[] {
  if (service.spec.type !== "NodePort")
    return addressesOf(service).map((address) => ({ address, portOf: ({ external }) => external }));
  const node = nodes.items.get(`/${pod.nodeName}`);
  const addresses = node?.externalAddresses.length ? node.externalAddresses : (node?.internalAddresses ?? []);
  return addresses.map((address) => ({ address, portOf: ({ nodePort }) => nodePort }));
}

/** An external address maps to internal addresses of its family; a name maps to any. */
function mappingsOf({ instance, pod, ports }: Reached, externals: readonly External[]): ObservedMapping[] {
  return pod.addresses.flatMap((internalAddress) => {
    const same = externals.find(({ address }) => familyOf(address) === familyOf(internalAddress));
    const external = same ?? externals.find(({ address }) => familyOf(address) === "name");
    if (!external) return [];
    return ports.flatMap((open) => {
      const externalPort = external.portOf(open);
      if (externalPort === null) return [];
      return [
        {
          instance: instance.name,
          pod: pod.name,
          node: pod.nodeName || null,
          protocol: open.protocol,
          internalAddress,
          internalPort: open.internal,
          externalAddress: external.address,
          externalPort,
          ready: instance.ready,
        },
      ];
    });
  });
}

function familyOf(address: string): "ipv4" | "ipv6" | "name" {
  if (address.includes(":")) return "ipv6";
  return /^\d+\.\d+\.\d+\.\d+$/.test(address) ? "ipv4" : "name";
}

function backendsOf({ instance, pod, ports }: Reached): ObservedLoadBalancer["backends"] {
  return pod.addresses.flatMap((address) =>
    ports.map(({ protocol, internal }) => ({
      instance: instance.name,
      protocol,
      address,
      port: internal,
      weight: 1,
      state: pod.terminating ? ("draining" as const) : ("active" as const),
      health: pod.ready ? ("up" as const) : ("down" as const),
    })),
  );
}

type Judgement = Pick<ObservedLoadBalancer, "phase" | "message">;

/** After this time a missing address is a problem: clouds take a minute or two. */
const patientMs = 3 * 60_000;

/** own is the pod of the only instance. */
type Context = {
  instances: readonly PickedInstance[];
  own: Pod | null;
  reached: readonly Reached[];
  complaint: string | null;
  now: Date;
};

function judge(service: Service, addresses: readonly string[], context: Context): Judgement {
  const { reached, complaint, now } = context;
  const { namespace, name, terminating, spec } = service;
  if (terminating)
    return {
      phase: "pending",
      message: withComplaint(
        `The Service ${namespace}/${name} is being removed by its load balancer controller.`,
        complaint,
      ),
    };
  if (spec.type !== "NodePort" && addresses.length === 0)
    return {
      phase: "pending",
      message:
        complaint === null
          ? lacksAddress(service, now)
          : withComplaint(`The Service ${namespace}/${name} has no address.`, complaint),
    };
  const ready = reached.filter(({ instance }) => instance.ready);
  if (reached.length > 0 && ready.length === reached.length) return { phase: "serving", message: "" };
  const unready = reached.find(({ instance }) => !instance.ready);
  if (unready) return { phase: "degraded", message: `The pod ${unready.pod.name} is not ready.` };
  return { phase: "degraded", message: whyUnreachable(context) };
}

/** The controller's message is quoted unchanged, so that operators can search for it in its documentation. */
function withComplaint(message: string, complaint: string | null): string {
  return complaint === null ? message : `${message} ${complaint}`;
}

function lacksAddress({ namespace, name, createdAt }: Service, now: Date): string {
  const waitedMs = now.getTime() - Date.parse(createdAt);
  if (waitedMs > patientMs)
    return `The Service ${namespace}/${name} has had no address for more than ${patientMs / 60_000} minutes: check that a load balancer controller runs in its cluster and has free addresses, and its events (kubectl -n ${namespace} describe service ${name}).`;
  return `The Service ${namespace}/${name} has no address yet: waiting for a load balancer controller of its cluster.`;
}

function whyUnreachable({ own, instances }: Context): string {
  if (own && own.addresses.length === 0) return `The pod ${own.name} has no address yet.`;
  return instances.some((each) => each.pod) ? "Its instance is not running." : "No pod is running.";
}

function protocolOf(word = "TCP"): Protocol {
  return word === "UDP" ? "udp" : "tcp";
}
