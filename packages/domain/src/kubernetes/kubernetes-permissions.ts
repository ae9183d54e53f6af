/** KubernetesPermission is a permission that Fairlead needs in a cluster. */
export type KubernetesPermission = {
  /** Empty for the core group. */
  group: string;
  resource: string;
  verbs: readonly string[];
  why: string;
  /** Whether Fairlead can't expose anything without it. Without the others, some features are missing. */
  required: boolean;
};

const look = ["get", "list", "watch"] as const;
/** They are only listed: metrics-server supports no watch. */
const figures = ["list"] as const;
const owners = "To find the pods of a workload by its name, and their desired number.";

/**
 * All permissions that Fairlead uses: the manifest grants exactly these, the controller checks them, and the page shows why.
 * Server-side apply needs both create and patch.
 */
export const kubernetesPermissions: readonly KubernetesPermission[] = [
  {
    group: "",
    resource: "nodes",
    verbs: look,
    why: "To find the nodes of pods, and their addresses.",
    required: true,
  },
  {
    group: "",
    resource: "pods",
    verbs: look,
    why: "To find each instance, its address and its readiness.",
    required: true,
  },
  {
    group: "",
    resource: "pods",
    verbs: ["patch"],
    why: "To label a single pod for its Service, if it has no label of its own.",
    required: true,
  },
  {
    group: "",
    resource: "services",
    verbs: look,
    why: "To read the addresses of Services, and changes that others made to ours.",
    required: true,
  },
  {
    group: "",
    resource: "services",
    verbs: ["create", "patch", "delete"],
    why: "To create the Services of exposures, and to delete them.",
    required: true,
  },
  {
    group: "discovery.k8s.io",
    resource: "endpointslices",
    verbs: look,
    why: "To read the endpoints that Fairlead has written.",
    required: true,
  },
  {
    group: "discovery.k8s.io",
    resource: "endpointslices",
    verbs: ["create", "patch", "delete"],
    why: "To write the endpoints of exposures whose instances share an address (shared-port).",
    required: false,
  },
  { group: "apps", resource: "statefulsets", verbs: look, why: owners, required: true },
  { group: "apps", resource: "deployments", verbs: look, why: owners, required: true },
  { group: "apps", resource: "daemonsets", verbs: look, why: owners, required: true },
  {
    group: "",
    resource: "events",
    verbs: look,
    why: "To show why the cluster's load balancer controller can't assign an address to a Service.",
    required: false,
  },
  {
    group: "metrics.k8s.io",
    resource: "nodes",
    verbs: figures,
    why: "To show CPU and memory of nodes by metrics-server, next to what agents measure.",
    required: false,
  },
  {
    group: "metrics.k8s.io",
    resource: "pods",
    verbs: figures,
    why: "To show CPU and memory of instances by metrics-server, and what the baseline RAP would do.",
    required: false,
  },
];

/** The name of a resource as kubectl takes it: endpointslices.discovery.k8s.io. */
export function resourceName({ group, resource }: Pick<KubernetesPermission, "group" | "resource">): string {
  return group === "" ? resource : `${resource}.${group}`;
}
