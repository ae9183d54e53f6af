import type { DesiredExposure, DesiredLoadBalancer } from "@fairlead/domain/exposure";
import type { V1OwnerReference } from "@kubernetes/client-node";
import type { Node, Service, Workload } from "../view/objects.ts";
import { exposureLabel, loadBalancerLabel, managedBy, spellProtocol, us } from "./marks.ts";
import type { PickedInstance } from "./pick-instances.ts";
import { portNameOf, sharedPortsOf } from "./shared-ports.ts";
import { shorten } from "./shorten.ts";
import type { WantedService } from "./wanted-service.ts";

/**
 * Of a Service that is made: both families where its cluster has them, or pods' second addresses would have no way from
 * outside. One that is there keeps what it has: a controller without addresses of the other family would take its own away.
 */
export const asMade = { ipFamilyPolicy: "PreferDualStack" } as const;

const mostNameLength = 63;
const dnsAnnotation = "external-dns.alpha.kubernetes.io/hostname";
const dnsTargetTtl = "external-dns.alpha.kubernetes.io/ttl";

/** Which kind of balancer AWS' controller makes. Without it that is a Classic one, which carries no UDP. */
const awsKind = "service.beta.kubernetes.io/aws-load-balancer-type";
const awsScheme = "service.beta.kubernetes.io/aws-load-balancer-scheme";

/**
 * keepAsMade leaves a Service what it was made as by a version that said less of it: the controller would make another
 * balancer in place of it, or beside it, at another address.
 */
export function keepAsMade({ metadata: { annotations } }: WantedService, there: Pick<Service, "annotations">): void {
  const kind = there.annotations[awsKind];
  if (kind === undefined) delete annotations[awsKind];
  else if (annotations[awsKind] !== undefined) annotations[awsKind] = kind;
  if (there.annotations[awsScheme] === undefined && annotations[awsScheme] === schemes.public.aws[awsScheme])
    delete annotations[awsScheme];
}

/** wantService says which Service one load balancer of an exposure is. */
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
  if (strategy.addressing === "shared-port")
    return service(desired, loadBalancer, workload, {
      type: "LoadBalancer",
      ports: sharedPortsOf(desired, instances),
      annotations: ofKind,
    });
  const isNodePort = strategy.addressing === "node-port";
  return service(desired, loadBalancer, workload, {
    type: isNodePort ? "NodePort" : "LoadBalancer",
    // Nobody has it while the instance is away, and then traffic has nowhere to go.
    selector: instance?.selector ?? { [loadBalancerLabel]: loadBalancer.id },
    annotations: {
      ...(isNodePort ? {} : ofKind),
      ...(strategy.dnsZone
        ? {
            [dnsAnnotation]: `${shorten(loadBalancer.instance ?? loadBalancer.name, mostNameLength)}.${strategy.dnsZone}`,
            [dnsTargetTtl]: "30",
          }
        : {}),
    },
  });
}

/**
 * How each provider's controller is told whether an address is for the public. AWS has two: one makes it so by default and
 * the other doesn't, and each has a word of its own for what isn't.
 */
const schemes = {
  public: { aws: { [awsScheme]: "internet-facing" }, gcp: {}, azure: {} },
  internal: {
    aws: { [awsScheme]: "internal", "service.beta.kubernetes.io/aws-load-balancer-internal": "true" },
    gcp: { "networking.gke.io/load-balancer-type": "Internal" },
    azure: { "service.beta.kubernetes.io/azure-load-balancer-internal": "true" },
  },
};

/** isInAws says whether nodes are machines of AWS, so that its controller is what gives Services their addresses. */
export function isInAws(nodes: Iterable<Pick<Node, "providerId">>): boolean {
  for (const { providerId } of nodes) if (providerId.startsWith("aws:")) return true;
  return false;
}

type Shape = {
  type: "LoadBalancer" | "NodePort";
  /** Without one its endpoints are written by us. */
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
      // A node's own address leads to what runs there: nothing is forwarded once more, and the client's address stays.
      externalTrafficPolicy: shape.type === "NodePort" ? "Local" : "Cluster",
      publishNotReadyAddresses: false,
    },
  };
}

/** serviceNameOf lasts as long as the load balancer does: an address that a provider gave is its. */
export function serviceNameOf(
  exposureName: string,
  { name, instance }: Pick<DesiredLoadBalancer, "name" | "instance">,
): string {
  return shorten(instance === null ? name : `${exposureName}-${instance}`, mostNameLength);
}

const ownerKinds = { "stateful-set": "StatefulSet", "daemon-set": "DaemonSet", deployment: "Deployment" } as const;

/** A workload that is deleted while nobody is here to see takes its Services with it. */
function ownerOf({ kind, name, uid }: Workload): V1OwnerReference {
  return { apiVersion: "apps/v1", kind: ownerKinds[kind], name, uid };
}
