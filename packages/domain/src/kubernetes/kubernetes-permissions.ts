/** KubernetesPermission is something that Fairlead does in a cluster, for which it has to be allowed. */
export type KubernetesPermission = {
  /** Empty for the core of the API. */
  group: string;
  resource: string;
  verbs: readonly string[];
  why: string;
  /** Without it nothing is exposed; without the others, less. */
  required: boolean;
};

const look = ["get", "list", "watch"] as const;
const owners = "To find the pods of a workload by its name, and to see how many there should be.";

/**
 * All that is asked for, and nothing else: the manifest grants just this, the controller checks just this, and the page says
 * why. Applying on the server's side needs both create and patch.
 */
export const kubernetesPermissions: readonly KubernetesPermission[] = [
  {
    group: "",
    resource: "namespaces",
    verbs: look,
    why: "To know which namespaces there are to expose workloads from.",
    required: true,
  },
  {
    group: "",
    resource: "nodes",
    verbs: look,
    why: "To know where pods run, and by which addresses their nodes are reached.",
    required: true,
  },
  {
    group: "",
    resource: "pods",
    verbs: look,
    why: "To know each instance with its address, and whether it is ready.",
    required: true,
  },
  {
    group: "",
    resource: "pods",
    verbs: ["patch"],
    why: "To mark a single pod with a label that its Service selects, where it has none of its own.",
    required: true,
  },
  {
    group: "",
    resource: "services",
    verbs: look,
    why: "To see which addresses Services were given, and what others changed on ours.",
    required: true,
  },
  {
    group: "",
    resource: "services",
    verbs: ["create", "patch", "delete"],
    why: "To make a Service for what is exposed, and to take it away again.",
    required: true,
  },
  {
    group: "discovery.k8s.io",
    resource: "endpointslices",
    verbs: look,
    why: "To know which pods serve, which are ready, and which are going.",
    required: true,
  },
  { group: "apps", resource: "statefulsets", verbs: look, why: owners, required: true },
  { group: "apps", resource: "deployments", verbs: look, why: owners, required: true },
  { group: "apps", resource: "replicasets", verbs: look, why: owners, required: true },
  { group: "apps", resource: "daemonsets", verbs: look, why: owners, required: true },
  {
    group: "",
    resource: "events",
    verbs: look,
    why: "To show what the cluster's load balancer controller says of a Service that it can't give an address.",
    required: false,
  },
  {
    group: "",
    resource: "configmaps",
    verbs: ["get", "create", "patch", "delete"],
    why: "To write for an application by which address each of its instances is reached; only where that is asked for.",
    required: false,
  },
];

/** The name of a resource as kubectl takes it: endpointslices.discovery.k8s.io. */
export function resourceName({ group, resource }: Pick<KubernetesPermission, "group" | "resource">): string {
  return group === "" ? resource : `${resource}.${group}`;
}
