import type { DesiredExposure, ObservedLoadBalancer } from "./exposure-state.ts";

/** ExposureRef is enough to find again in the outside what was made of an exposure. */
export type ExposureRef = Pick<DesiredExposure, "id" | "cluster" | "name" | "workload">;

/** ObservedOutside is what a driver sees of one exposure: the balancers that are there, and the instances that it exposes. */
export type ObservedOutside = {
  loadBalancers: ObservedLoadBalancer[];
  /** Those that the workload should have, running or not: one that restarts keeps its balancer. */
  instances: ObservedInstance[];
};

export type ObservedInstance = { name: string; ready: boolean };
