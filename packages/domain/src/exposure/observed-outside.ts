import type { DesiredExposure, ObservedLoadBalancer } from "./exposure-state.ts";

/** ExposureRef is enough to find again in the outside what was made of an exposure. */
export type ExposureRef = Pick<DesiredExposure, "id" | "cluster" | "name" | "workload">;

/**
 * Of one exposure. Each has a load balancer of its own, which somebody pays for, and a selector that is too wide by a word may
 * pick all pods of a cluster. Kubernetes has 2 768 node ports for all Services with addresses of their own.
 */
export const mostInstances = 2_000;

/** ObservedOutside is what a driver sees of one exposure: the balancers that are there, and the instances that it exposes. */
export type ObservedOutside = {
  loadBalancers: ObservedLoadBalancer[];
  /** Those that the workload should have, running or not: one that restarts keeps its balancer. */
  instances: ObservedInstance[];
  /** How many more there are than one exposure may have; absent for none. */
  surplus?: number;
};

export type ObservedInstance = {
  name: string;
  ready: boolean;
  /** Where it runs; absent while it does not, or nobody sees where. */
  place?: InstancePlace;
};

/** pod and node are their names; node is null where nobody sees it. */
export type InstancePlace = { pod: string; node: string | null; addresses: string[] };
