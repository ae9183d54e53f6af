import type { SeenItem } from "@fairlead/domain/cluster";
import { type ClusterView, managedBy, type Node, ownerOf, type Service, us } from "@fairlead/drivers/kubernetes";

/** itemsOf lists a cluster's nodes, workloads, and external Services that don't belong to Fairlead. */
export function itemsOf(view: Pick<ClusterView, "nodes" | "pods" | "services" | "workloads">): SeenItem[] {
  const ready = readyPods(view);
  return [
    ...[...view.nodes.items.values()].map(ofNode),
    ...view.workloads().map(({ kind, namespace, name, replicas }) => ({
      ...{ kind, namespace, name, desired: replicas, addresses: [] },
      ready: ready.get(`${kind} ${namespace}/${name}`) ?? 0,
    })),
    ...[...view.services.items.values()].flatMap(ofService),
  ];
}

function readyPods(view: Pick<ClusterView, "pods">): Map<string, number> {
  const counts = new Map<string, number>();
  for (const pod of view.pods.items.values()) {
    const owner = pod.ready && !pod.terminating ? ownerOf(pod) : null;
    if (!owner) continue;
    const key = `${owner.kind} ${pod.namespace}/${owner.name}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function ofNode({ name, ready, internalAddresses, externalAddresses }: Node): SeenItem {
  const addresses = [...externalAddresses, ...internalAddresses];
  return { kind: "node", namespace: "", name, desired: 1, ready: ready ? 1 : 0, addresses };
}

/** Fairlead's Services are listed as load balancers of exposures instead. */
function ofService({ namespace, name, labels, spec, ingress, terminating }: Service): SeenItem[] {
  const isReached = spec.type === "LoadBalancer" || spec.type === "NodePort";
  if (!isReached || terminating || labels[managedBy] === us) return [];
  const addresses = ingress.flatMap(({ ip, hostname }) => ip ?? hostname ?? []);
  const hasAddress = spec.type === "NodePort" || addresses.length > 0;
  return [{ kind: "service", namespace, name, desired: 1, ready: hasAddress ? 1 : 0, addresses }];
}
