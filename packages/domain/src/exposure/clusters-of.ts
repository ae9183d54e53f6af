import type { DesiredExposure, DesiredLoadBalancer } from "./exposure-state.ts";

/** clustersOf returns the clusters in which an exposure has load balancers, or may get them: its own first. */
export function clustersOf({ cluster, loadBalancers }: DesiredExposure): DesiredExposure["cluster"][] {
  const others = new Map(loadBalancers.flatMap(({ elsewhere }) => (elsewhere ? [[elsewhere.id, elsewhere]] : [])));
  return [cluster, ...others.values()];
}

/** withinCluster returns an exposure as it is in one of its clusters. */
export function withinCluster(desired: DesiredExposure, cluster: DesiredExposure["cluster"]): DesiredExposure {
  const isThere = ({ elsewhere }: DesiredLoadBalancer) => (elsewhere ?? desired.cluster).id === cluster.id;
  return { ...desired, cluster, loadBalancers: desired.loadBalancers.filter(isThere) };
}
