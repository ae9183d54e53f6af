import type { DesiredExposure, ObservedLoadBalancer } from "./exposure-state.ts";

/** ExposureRef identifies the external objects of an exposure. */
export type ExposureRef = Pick<DesiredExposure, "id" | "cluster" | "name" | "workload">;

/**
 * The limit for one exposure. Each instance may have a load balancer of its own, which costs money, and a selector that is
 * too broad can match all pods of a cluster. Kubernetes has only 2 768 node ports for such Services.
 */
export const mostInstances = 2_000;

/** ObservedOutside is what a driver observes of an exposure: its load balancers, and the instances of its workload. */
export type ObservedOutside = {
  loadBalancers: ObservedLoadBalancer[];
  /** The instances that the workload should have, running or not: one that restarts keeps its balancer. */
  instances: ObservedInstance[];
  /** Number of instances over the limit of an exposure; absent for none. */
  surplus?: number;
};

export type ObservedInstance = {
  name: string;
  ready: boolean;
  /** Where it runs; absent while it doesn't run, or if this isn't reported. */
  place?: InstancePlace;
};

/** pod and node are names; node is null if it isn't reported. */
export type InstancePlace = { pod: string; node: string | null; addresses: string[] };
