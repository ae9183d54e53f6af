import { hideAddresses } from "../address/hide-addresses.ts";
import type { Backend, LoadBalancer, Replica } from "./load-balancer.ts";

/** hideBalancerAddress omits what a reader without map:read may not see of a load balancer. */
export function hideBalancerAddress<Balancer extends Pick<LoadBalancer, "address" | "message">>(
  balancer: Balancer,
): Balancer {
  return { ...balancer, address: null, message: hideAddresses(balancer.message) };
}

/** hideBackendAddress does the same for a backend. Its instance stays: without an address it maps to nothing. */
export function hideBackendAddress<Of extends Backend>(backend: Of): Of {
  return { ...backend, address: null, message: hideAddresses(backend.message) };
}

/** hideReplicaAddresses keeps the address of a replica: it is its node's. */
export function hideReplicaAddresses<Of extends Pick<Replica, "message">>(replica: Of): Of {
  return { ...replica, message: hideAddresses(replica.message) };
}
