// What is read of Kubernetes' objects, and kept of them. Fields are named as there.

export type KubernetesObject = {
  metadata: Metadata;
  spec?: unknown;
  status?: unknown;
};

export type Metadata = {
  name: string;
  namespace?: string;
  uid: string;
  resourceVersion: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  finalizers?: string[];
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
};

export type OwnerReference = { apiVersion: string; kind: string; name: string; uid: string; controller?: boolean };

/** Of every object that is kept. */
type Named = { namespace: string; name: string; uid: string; labels: Record<string, string> };

export type Pod = Named & {
  /** Who made it and keeps it. */
  owner: OwnerReference | null;
  createdAt: string;
  nodeName: string;
  /** One of each family, the one that its network prefers first. */
  addresses: string[];
  ready: boolean;
  /** It is on its way out: no new connections for it. */
  terminating: boolean;
  /** It ran, and won't again. */
  ended: boolean;
};

export function keepPod({ metadata, spec, status }: KubernetesObject): Pod {
  const { nodeName = "" } = (spec ?? {}) as { nodeName?: string };
  const said = (status ?? {}) as {
    phase?: string;
    podIP?: string;
    podIPs?: { ip: string }[];
    conditions?: { type: string; status: string }[];
  };
  const addresses = said.podIPs?.map(({ ip }) => ip) ?? (said.podIP ? [said.podIP] : []);
  return {
    ...named(metadata),
    owner: metadata.ownerReferences?.find((each) => each.controller) ?? null,
    createdAt: metadata.creationTimestamp ?? "",
    nodeName,
    addresses,
    ready: said.conditions?.some((each) => each.type === "Ready" && each.status === "True") ?? false,
    terminating: metadata.deletionTimestamp !== undefined,
    ended: said.phase === "Succeeded" || said.phase === "Failed",
  };
}

export const workloadKinds = ["stateful-set", "deployment", "daemon-set"] as const;
export type WorkloadKind = (typeof workloadKinds)[number];

/** ownerOf finds the workload that keeps a pod, if it is of a kind that we know. */
export function ownerOf({ owner, labels }: Pick<Pod, "owner" | "labels">): { kind: WorkloadKind; name: string } | null {
  switch (owner?.kind) {
    case "StatefulSet":
      return { kind: "stateful-set", name: owner.name };
    case "DaemonSet":
      return { kind: "daemon-set", name: owner.name };
    case "ReplicaSet": {
      // A deployment's replica sets are named after it and the hash of their template, which their pods have as a label.
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
  /** How many pods it wants. */
  replicas: number;
  /** Of a stateful set: the number of its first pod. */
  firstOrdinal: number;
  selector: Record<string, string>;
};

export function keepWorkload(kind: WorkloadKind): (object: KubernetesObject) => Workload {
  return ({ metadata, spec, status }) => {
    const parsed = (spec ?? {}) as {
      replicas?: number;
      ordinals?: { start?: number };
      selector?: { matchLabels?: Record<string, string> };
    };
    const { desiredNumberScheduled = 0 } = (status ?? {}) as { desiredNumberScheduled?: number };
    return {
      ...named(metadata),
      kind,
      replicas: kind === "daemon-set" ? desiredNumberScheduled : (parsed.replicas ?? 1),
      firstOrdinal: parsed.ordinals?.start ?? 0,
      selector: parsed.selector?.matchLabels ?? {},
    };
  };
}

export type ServicePort = {
  name?: string;
  protocol?: string;
  port: number;
  targetPort?: number | string;
  nodePort?: number;
};

export type Service = Named & {
  annotations: Record<string, string>;
  owners: OwnerReference[];
  terminating: boolean;
  createdAt: string;
  /** Whole, to be held against what we want. */
  spec: { type?: string; selector?: Record<string, string>; ports?: ServicePort[] } & Record<string, unknown>;
  /** Where it answers, as whoever carries it says. */
  ingress: { ip?: string; hostname?: string }[];
};

export function keepService({ metadata, spec, status }: KubernetesObject): Service {
  const said = (status ?? {}) as { loadBalancer?: { ingress?: { ip?: string; hostname?: string }[] } };
  return {
    ...named(metadata),
    annotations: metadata.annotations ?? {},
    owners: metadata.ownerReferences ?? [],
    terminating: metadata.deletionTimestamp !== undefined,
    createdAt: metadata.creationTimestamp ?? "",
    spec: (spec ?? {}) as Service["spec"],
    ingress: said.loadBalancer?.ingress ?? [],
  };
}

export type EndpointSlice = Named & {
  addressType: string;
  endpoints: unknown[];
  ports: unknown[];
};

export function keepEndpointSlice({ metadata, ...rest }: KubernetesObject): EndpointSlice {
  const slice = rest as { addressType?: string; endpoints?: unknown[] | null; ports?: unknown[] | null };
  return {
    ...named(metadata),
    addressType: slice.addressType ?? "",
    endpoints: slice.endpoints ?? [],
    ports: slice.ports ?? [],
  };
}

export type Node = Named & {
  ready: boolean;
  /** Which machine of which cloud it is, as aws:///eu-central-1a/i-…; empty for any other. */
  providerId: string;
  internalAddresses: string[];
  externalAddresses: string[];
};

export function keepNode({ metadata, spec, status }: KubernetesObject): Node {
  const { providerID = "" } = (spec ?? {}) as { providerID?: string };
  const said = (status ?? {}) as {
    addresses?: { type: string; address: string }[];
    conditions?: { type: string; status: string }[];
  };
  const of = (type: string) => (said.addresses ?? []).filter((each) => each.type === type).map((each) => each.address);
  return {
    ...named(metadata),
    ready: said.conditions?.some((each) => each.type === "Ready" && each.status === "True") ?? false,
    providerId: providerID,
    internalAddresses: of("InternalIP"),
    externalAddresses: of("ExternalIP"),
  };
}

function named({ namespace = "", name, uid, labels = {} }: Metadata): Named {
  return { namespace, name, uid, labels };
}
