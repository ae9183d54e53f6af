import type { Protocol } from "@fairlead/domain/exposure";

// Labels of the objects that Fairlead creates. They must never change, because existing objects have them.

/** The standard label for the manager of an object. */
export const managedBy = "app.kubernetes.io/managed-by";
export const us = "fairlead";
/** The exposure of an object, and the load balancer in it. */
export const exposureLabel = "fairlead.dev/exposure";
export const loadBalancerLabel = "fairlead.dev/load-balancer";
/** The instance that a pod is, if Kubernetes gives its pods no stable names. One label per exposure. */
export const instanceLabel = (exposureId: string) => `instance.fairlead.dev/${exposureId}`;
/** Kubernetes' own, on each pod of a stateful set. */
export const podNameLabel = "statefulset.kubernetes.io/pod-name";

/** The writer of endpoints. Kubernetes copies all other labels of the Service to its own. */
export const endpointsBy = "endpointslice.kubernetes.io/managed-by";

/** Kubernetes' word for a protocol. */
export function spellProtocol(protocol: Protocol): string {
  return protocol.toUpperCase();
}
