import type {
  V1Container,
  V1DaemonSet,
  V1Deployment,
  V1EndpointSlice,
  V1LoadBalancerIngress,
  V1Node,
  V1ObjectMeta,
  V1OwnerReference,
  V1Pod,
  V1PodSpec,
  V1Service,
  V1ServiceSpec,
  V1StatefulSet,
} from "@kubernetes/client-node";
import { parseQuantity, sumOf } from "../metrics/quantity.ts";

// The fields of Kubernetes objects that are read and kept, with their Kubernetes names.

/** AsSent is a type of the Kubernetes library with times as text, as in JSON. */
type AsSent<T> = T extends Date
  ? string
  : T extends (infer Item)[]
    ? AsSent<Item>[]
    : T extends object
      ? { [Field in keyof T]: AsSent<T[Field]> }
      : T;

export type KubernetesObject = { metadata: Metadata };

/** Every object from an apiserver has these fields. */
type Metadata = AsSent<V1ObjectMeta> & { name: string; uid: string; resourceVersion: string };

/** fieldsOf returns the fields of a kind. The request's path determines the kind. */
function fieldsOf<Kind extends object>(object: KubernetesObject): Omit<AsSent<Kind>, "metadata"> {
  return object as KubernetesObject & AsSent<Kind>;
}

/** The fields of every kept object. */
type Named = { namespace: string; name: string; uid: string; labels: Record<string, string> };

export type Pod = Named & {
  /** The controller that created it. */
  owner: V1OwnerReference | null;
  createdAt: string;
  nodeName: string;
  /** One per family, the preferred one first. */
  addresses: string[];
  ready: boolean;
  /** It is being deleted, and gets no new connections. */
  terminating: boolean;
  /** It ended, and won't run again. */
  ended: boolean;
  limits: Resources;
};

/** Resources are CPU cores and bytes of memory; null if they are not limited, or unknown. */
export type Resources = { cpuCores: number | null; memoryBytes: number | null };

export function keepPod(object: KubernetesObject): Pod {
  const { metadata } = object;
  const { spec, status } = fieldsOf<V1Pod>(object);
  const addresses = status?.podIPs?.map(({ ip }) => ip) ?? (status?.podIP ? [status.podIP] : []);
  return {
    ...named(metadata),
    owner: metadata.ownerReferences?.find((each) => each.controller) ?? null,
    createdAt: metadata.creationTimestamp ?? "",
    nodeName: spec?.nodeName ?? "",
    addresses,
    ready: status?.conditions?.some((each) => each.type === "Ready" && each.status === "True") ?? false,
    terminating: metadata.deletionTimestamp !== undefined,
    ended: status?.phase === "Succeeded" || status?.phase === "Failed",
    limits: limitsOf(spec),
  };
}

/** limitsOf adds up the containers that run at the same time. A pod with one container without a limit has none. */
function limitsOf(spec: AsSent<V1PodSpec> | undefined): Resources {
  const sidecars = (spec?.initContainers ?? []).filter((each) => each.restartPolicy === "Always");
  const containers: AsSent<V1Container>[] = [...(spec?.containers ?? []), ...sidecars];
  const of = (resource: "cpu" | "memory") =>
    parseQuantity(spec?.resources?.limits?.[resource]) ??
    sumOf(containers.map((each) => parseQuantity(each.resources?.limits?.[resource])));
  return { cpuCores: of("cpu"), memoryBytes: of("memory") };
}

export const workloadKinds = ["stateful-set", "deployment", "daemon-set"] as const;
export type WorkloadKind = (typeof workloadKinds)[number];

/** ownerOf returns the workload that controls a pod, if its kind is supported. */
export function ownerOf({ owner, labels }: Pick<Pod, "owner" | "labels">): { kind: WorkloadKind; name: string } | null {
  switch (owner?.kind) {
    case "StatefulSet":
      return { kind: "stateful-set", name: owner.name };
    case "DaemonSet":
      return { kind: "daemon-set", name: owner.name };
    case "ReplicaSet": {
      // The name of a replica set is its deployment's name and the hash of its template, which pods have as a label.
      const end = `-${labels["pod-template-hash"]}`;
      return owner.name.endsWith(end) ? { kind: "deployment", name: owner.name.slice(0, -end.length) } : null;
    }
    default:
      return null;
  }
}

/** Workload is an owner of pods. */
export type Workload = Named & {
  kind: WorkloadKind;
  /** The desired number of pods. */
  replicas: number;
  /** For stateful sets, the number of the first pod. */
  firstOrdinal: number;
  selector: Record<string, string>;
};

export function keepWorkload(kind: WorkloadKind): (object: KubernetesObject) => Workload {
  return (object) => ({
    ...named(object.metadata),
    kind,
    ...sizeOf[kind](object),
    selector: fieldsOf<V1Deployment | V1StatefulSet | V1DaemonSet>(object).spec?.selector?.matchLabels ?? {},
  });
}

const sizeOf: Record<WorkloadKind, (object: KubernetesObject) => Pick<Workload, "replicas" | "firstOrdinal">> = {
  deployment: (object) => ({ replicas: fieldsOf<V1Deployment>(object).spec?.replicas ?? 1, firstOrdinal: 0 }),
  "stateful-set": (object) => {
    const { replicas = 1, ordinals } = fieldsOf<V1StatefulSet>(object).spec ?? {};
    return { replicas, firstOrdinal: ordinals?.start ?? 0 };
  },
  "daemon-set": (object) => ({
    replicas: fieldsOf<V1DaemonSet>(object).status?.desiredNumberScheduled ?? 0,
    firstOrdinal: 0,
  }),
};

export type Service = Named & {
  annotations: Record<string, string>;
  owners: V1OwnerReference[];
  terminating: boolean;
  createdAt: string;
  /** The complete spec, to be compared with the desired one. */
  spec: V1ServiceSpec;
  /** Its addresses, as its load balancer controller reports them. */
  ingress: V1LoadBalancerIngress[];
};

export function keepService(object: KubernetesObject): Service {
  const { metadata } = object;
  const { spec, status } = fieldsOf<V1Service>(object);
  return {
    ...named(metadata),
    annotations: metadata.annotations ?? {},
    owners: metadata.ownerReferences ?? [],
    terminating: metadata.deletionTimestamp !== undefined,
    createdAt: metadata.creationTimestamp ?? "",
    spec: spec ?? {},
    ingress: status?.loadBalancer?.ingress ?? [],
  };
}

export type EndpointSlice = Named & {
  addressType: string;
  endpoints: unknown[];
  ports: unknown[];
};

export function keepEndpointSlice(object: KubernetesObject): EndpointSlice {
  const { addressType, endpoints, ports } = fieldsOf<V1EndpointSlice>(object);
  return { ...named(object.metadata), addressType, endpoints: endpoints ?? [], ports: ports ?? [] };
}

export type Node = Named & {
  ready: boolean;
  /** Its machine in a cloud, such as aws:///eu-central-1a/i-…; empty for other nodes. */
  providerId: string;
  internalAddresses: string[];
  externalAddresses: string[];
  /** What its pods may use together. */
  allocatable: Resources;
};

export function keepNode(object: KubernetesObject): Node {
  const { spec, status } = fieldsOf<V1Node>(object);
  const of = (type: string) =>
    (status?.addresses ?? []).filter((each) => each.type === type).map((each) => each.address);
  return {
    ...named(object.metadata),
    ready: status?.conditions?.some((each) => each.type === "Ready" && each.status === "True") ?? false,
    providerId: spec?.providerID ?? "",
    internalAddresses: of("InternalIP"),
    externalAddresses: of("ExternalIP"),
    allocatable: {
      cpuCores: parseQuantity(status?.allocatable?.cpu),
      memoryBytes: parseQuantity(status?.allocatable?.memory),
    },
  };
}

function named({ namespace = "", name, uid, labels = {} }: Metadata): Named {
  return { namespace, name, uid, labels };
}
