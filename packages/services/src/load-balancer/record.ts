import type { Tx } from "@fairlead/db";
import type { ObservedLoadBalancer } from "@fairlead/domain";

export type LoadBalancerStanding = Pick<ObservedLoadBalancer, "phase" | "message" | "address"> & {
  replicasReady: number;
  backendsUp: number;
  backendsTotal: number;
};

/** recordLoadBalancer writes how one balancer stands, and says whether that is not how it stood. */
export async function recordLoadBalancer(
  tx: Tx,
  loadBalancerId: string,
  standing: LoadBalancerStanding,
  now: Date,
): Promise<boolean> {
  const before = await tx.loadBalancerStatus.findUnique({ where: { loadBalancerId } });
  const data = { ...standing, observedAt: now };
  await tx.loadBalancerStatus.upsert({
    where: { loadBalancerId },
    create: { loadBalancerId, ...data },
    update: data,
  });
  const keys = Object.keys(standing) as (keyof LoadBalancerStanding)[];
  return keys.some((key) => before?.[key] !== standing[key]);
}
