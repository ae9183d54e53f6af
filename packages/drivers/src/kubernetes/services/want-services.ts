import type { DesiredExposure, DesiredLoadBalancer } from "@fairlead/domain/exposure";
import type { V1OwnerReference } from "@kubernetes/client-node";
import type { Node, Service, Workload } from "../view/objects.ts";
import { exposureLabel, loadBalancerLabel, managedBy, spellProtocol, us } from "./marks.ts";
import type { PickedInstance } from "./pick-instances.ts";
import { portNameOf, sharedPortsOf } from "./shared-ports.ts";
import { shorten } from "./shorten.ts";
import type { WantedService } from "./wanted-service.ts";

/**
 * For new Services only: both families if the cluster has them, so that both addresses of a pod are reachable. Existing
 * Services keep theirs: a controller without addresses of the other family would remove the present address.
 */
export const createdWith = { ipFamilyPolicy: "PreferDualStack" } as const;

const mostNameLength = 63;
const dnsAnnotation = "external-dns.alpha.kubernetes.io/hostname";
const dnsTargetTtl = "external-dns.alpha.kubernetes.io/ttl";

/** The kind of balancer that AWS' controller creates. The default is a Classic one, which doesn't support UDP. */
const awsKind = "service.beta.kubernetes.io/aws-load-balancer-type";
const awsScheme = "service.beta.kubernetes.io/aws-load-balancer-scheme";

/**
 * keepCreatedKind keeps the kind and scheme of a Service that an earlier version created without these annotations:
 * otherwise the controller would create another balancer, with another address.
 */
export function keepCreatedKind(
  { metadata: { annotations } }: WantedService,
  there: Pick<Service, "annotations">,
): void {
  const kind = there.annotations[awsKind];
  if (kind === undefined) delete annotations[awsKind];
  else if (annotations[awsKind] !== undefined) annotations[awsKind] = kind;
  if (there.annotations[awsScheme] === undefined && annotations[awsScheme] === schemes.public.aws[awsScheme])
    delete annotations[awsScheme];
}

/** wantService returns the desired Service of one load balancer. */
export function wantService(
  desired: DesiredExposure,
  loadBalancer: DesiredLoadBalancer,
  workload: Workload | null,
  {
    instance,
    instances,
    isInAws,
  }: { instance: PickedInstance | undefined; instances: readonly PickedInstance[]; isInAws: boolean },
): WantedService {
  const { strategy } = desired;
  const ofKind = isInAws || (strategy.type === "cloud" && strategy.provider === "aws") ? { [awsKind]: "nlb" } : {};
  if (strategy.type === "cloud")
    return service(desired, loadBalancer, workload, {
      type: "LoadBalancer",
      selector: workload?.selector ?? desired.workload.selector ?? {},
      annotations: { ...ofKind, ...schemes[strategy.scheme][strategy.provider] },
    });
  if (strategy.type !== "per-replica") throw new Error(`a ${strategy.type} exposure is no Service`);
  const { addressing, dnsZone } = strategy;
  const ofInstance = (type: Shape["type"], annotations: Record<string, string>) =>
    service(desired, loadBalancer, workload, {
      type,
      // Without its instance it selects no pod, so there is no traffic.
      selector: instance?.selector ?? { [loadBalancerLabel]: loadBalancer.id },
      annotations: { ...annotations, ...(dnsZone ? dnsNameOf(loadBalancer, dnsZone) : {}) },
    });
  switch (addressing) {
    case "shared-port":
      return service(desired, loadBalancer, workload, {
        type: "LoadBalancer",
        ports: sharedPortsOf(desired, instances),
        annotations: ofKind,
      });
    case "node-port":
      return ofInstance("NodePort", {});
    case "dedicated":
    // The addressings of our own balancers: only Services that are left from an earlier spec.
    case "balancer":
    case "shared-sni":
      return ofInstance("LoadBalancer", ofKind);
    default:
      return addressing satisfies never;
  }
}

/** The annotations with which external-dns names an instance. */
function dnsNameOf({ name, instance }: DesiredLoadBalancer, zone: string): Record<string, string> {
  return { [dnsAnnotation]: `${shorten(instance ?? name, mostNameLength)}.${zone}`, [dnsTargetTtl]: "30" };
}

/**
 * The annotations that make an address public or internal. AWS has two controllers, with different defaults and different
 * annotations for internal addresses.
 */
const schemes = {
  public: { aws: { [awsScheme]: "internet-facing" }, gcp: {}, azure: {} },
  internal: {
    aws: { [awsScheme]: "internal", "service.beta.kubernetes.io/aws-load-balancer-internal": "true" },
    gcp: { "networking.gke.io/load-balancer-type": "Internal" },
    azure: { "service.beta.kubernetes.io/azure-load-balancer-internal": "true" },
  },
};

/** isInAws reports whether nodes are AWS machines, so that an AWS controller assigns addresses to Services. */
export function isInAws(nodes: Iterable<Pick<Node, "providerId">>): boolean {
  for (const { providerId } of nodes) if (providerId.startsWith("aws:")) return true;
  return false;
}

type Shape = {
  type: "LoadBalancer" | "NodePort";
  /** Without a selector, Fairlead writes the endpoints. */
  selector?: Record<string, string>;
  ports?: WantedService["spec"]["ports"];
  annotations?: Record<string, string>;
};

function service(
  { id, name, workload: { namespace }, ports }: DesiredExposure,
  loadBalancer: DesiredLoadBalancer,
  workload: Workload | null,
  shape: Shape,
): WantedService {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name: serviceNameOf(name, loadBalancer),
      namespace,
      labels: { [managedBy]: us, [exposureLabel]: id, [loadBalancerLabel]: loadBalancer.id },
      annotations: shape.annotations ?? {},
      ownerReferences: workload ? [ownerOf(workload)] : [],
    },
    spec: {
      type: shape.type,
      ports:
        shape.ports ??
        ports.map((each) => ({
          name: portNameOf(each),
          protocol: spellProtocol(each.protocol),
          port: each.port,
          targetPort: each.targetPort ?? each.port,
        })),
      ...(shape.selector ? { selector: shape.selector } : {}),
      // A node port forwards only to pods on that node: no second hop, and the client's address is kept.
      externalTrafficPolicy: shape.type === "NodePort" ? "Local" : "Cluster",
      publishNotReadyAddresses: false,
    },
  };
}

/** serviceNameOf is stable for the life of a load balancer, because a provider's address belongs to the Service. */
export function serviceNameOf(
  exposureName: string,
  { name, instance }: Pick<DesiredLoadBalancer, "name" | "instance">,
): string {
  return shorten(instance === null ? name : `${exposureName}-${instance}`, mostNameLength);
}

const ownerKinds = { "stateful-set": "StatefulSet", "daemon-set": "DaemonSet", deployment: "Deployment" } as const;

/** If a workload is deleted while Fairlead is down, Kubernetes deletes its Services too. */
function ownerOf({ kind, name, uid }: Workload): V1OwnerReference {
  return { apiVersion: "apps/v1", kind: ownerKinds[kind], name, uid };
}
