import { conflict } from "@fairlead/domain";
import type { Cluster } from "@fairlead/domain/cluster";
import {
  adaptiveAgentCure,
  type CreateExposure,
  carriesOwn,
  type ExposurePlan,
  findLack,
  namedBalancerOf,
  planExposure,
  reachedBy,
  type Strategy,
} from "@fairlead/domain/exposure";
import { instanceBalancerOf } from "@fairlead/domain/load-balancer";
import { mayReadMap } from "../address-map/may-read.ts";
import { findFreeAddress, poolExhausted } from "../address-pool/allocate.sql.ts";
import { loadCluster } from "../cluster/get.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { checkKeyDelivery } from "./check-key-delivery.ts";
import { checkPool } from "./check-pool.ts";
import { countCarriers } from "./count-carriers.sql.ts";

/** previewExposure shows what createExposure would create, and refuses what it would refuse. It allocates nothing. */
export async function previewExposure(ctx: ServiceContext, input: CreateExposure): Promise<ExposurePlan> {
  authorize(ctx, "exposure:read");
  const cluster = await loadCluster(ctx.db, ctx.organizationId, input.clusterId, ["clusterId"]);
  const namesake = await ctx.db.exposure.findFirst({
    where: { clusterId: cluster.id, name: input.name },
    select: { id: true },
  });
  if (namesake) throw conflict(nameTaken(cluster.name, input.name), ["name"]);
  checkKeyDelivery(cluster, input.strategy);
  const pool = await checkPool(ctx.db, ctx.organizationId, cluster, input.strategy);
  const plan = planExposure(input, reachedBy(cluster));
  plan.warnings.push(...(await findCarrierLack(ctx, cluster, input.strategy)));
  if (!pool) return plan;
  const address = await findFreeAddress(ctx.db, pool.id, pool.prefix);
  // Instances get addresses as they appear, and those that find none wait.
  if (!address && plan.perInstance) return { ...plan, warnings: [...plan.warnings, poolExhausted(pool).message] };
  if (!address) throw poolExhausted(pool);
  const shown = mayReadMap(ctx) ? address : null;
  return {
    ...plan,
    loadBalancers: plan.loadBalancers.map((each) => (each.poolId === pool.id ? { ...each, address: shown } : each)),
  };
}

/** findCarrierLack says how many agents are missing for the replicas, if any. */
async function findCarrierLack(ctx: ServiceContext, cluster: Cluster, strategy: Strategy): Promise<string[]> {
  if (!carriesOwn(cluster.kind, strategy) || findLack(reachedBy(cluster), strategy)) return [];
  if (strategy.type === "adaptive") {
    if ((await countCarriers(ctx.db, cluster.id, "adaptive")) > 0) return [];
    return [
      `No node of ${cluster.name} has an agent of the role adaptive. ${adaptiveAgentCure(cluster.kind, "cluster")}`,
    ];
  }
  const made = instanceBalancerOf(strategy) ?? namedBalancerOf(strategy) ?? strategy;
  const replicas = "replicas" in made ? (made.replicas ?? 0) : 0;
  const carriers = await countCarriers(ctx.db, cluster.id, "balancer");
  if (carriers >= replicas) return [];
  const pods = cluster.kind === "kubernetes" ? ", or balancers as pods" : "";
  const agents = carriers === 1 ? "1 balancer agent reports" : `${carriers || "no"} balancer agents report`;
  return [`In ${cluster.name} ${agents}, but each replica needs its own. Add nodes with the role balancer${pods}.`];
}

export function nameTaken(clusterName: string, name: string): string {
  return `${clusterName} already has an exposure named ${name}.`;
}
