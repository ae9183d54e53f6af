import type { Protocol } from "@fairlead/domain";

// How what we make is told from everything else in a cluster. The words are kept for ever: objects out there have them.

/** Who manages an object, by the label that everybody uses for that. */
export const managedBy = "app.kubernetes.io/managed-by";
export const us = "fairlead";
/** Of which exposure, and of which load balancer in it, an object is. */
export const exposureLabel = "fairlead.dev/exposure";
export const loadBalancerLabel = "fairlead.dev/load-balancer";
/** Which instance of a workload a pod is, where Kubernetes gives its pods no name that lasts. One label per exposure. */
export const instanceLabel = (exposureId: string) => `instance.fairlead.dev/${exposureId}`;
/** Kubernetes' own, on each pod of a stateful set. */
export const podNameLabel = "statefulset.kubernetes.io/pod-name";

/** Who writes endpoints. Kubernetes gives its own every other label that their Service has. */
export const endpointsBy = "endpointslice.kubernetes.io/managed-by";

/** Kubernetes' word for a protocol. */
export function spellProtocol(protocol: Protocol): string {
  return protocol.toUpperCase();
}
