import type { LoadBalancer } from "@fairlead/domain/load-balancer";

export type BalancerSums = {
  total: number;
  serving: number;
  replicasDesired: number;
  replicasReady: number;
  backendsTotal: number;
  backendsUp: number;
  /** When the oldest of these values was observed; null if none was. */
  observedAt: Date | null;
};

/** sumBalancers sums up the status of an exposure's balancers. */
export function sumBalancers(balancers: LoadBalancer[]): BalancerSums {
  const sum = (of: (balancer: LoadBalancer) => number) => balancers.reduce((total, each) => total + of(each), 0);
  const seen = balancers.flatMap((each) => (each.observedAt ? [each.observedAt.getTime()] : []));
  return {
    total: balancers.length,
    serving: balancers.filter((each) => each.phase === "serving").length,
    replicasDesired: sum((each) => each.replicasDesired),
    replicasReady: sum((each) => each.replicasReady),
    backendsTotal: sum((each) => each.backendsTotal),
    backendsUp: sum((each) => each.backendsUp),
    observedAt: seen.length > 0 ? new Date(Math.min(...seen)) : null,
  };
}
