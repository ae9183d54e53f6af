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
  replicasOutside,
  type Strategy,
} from "@fairlead/domain/exposure";
import { explainUnshared, instanceBalancerOf } from "@fairlead/domain/load-balancer";
import { mayReadMap } from "../address-map/may-read.ts";
import { findFreeAddress, poolExhausted } from "../address-pool/allocate.sql.ts";
import { loadCluster } from "../cluster/get.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { checkKeyDelivery } from "./check-key-delivery.ts";
import { checkPlacements } from "./check-placements.ts";
import { checkPool } from "./check-pool.ts";
import { type Carriers, countCarriers } from "./count-carriers.sql.ts";
import { findUnsharingAgent } from "./placement-state.sql.ts";

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
  const others = await checkPlacements(ctx.db, ctx, { ...input, cluster });
  const plan = planExposure(input, reachedBy(cluster), others);
  for (const each of [cluster, ...others]) plan.warnings.push(...(await findCarrierLack(ctx, each, input.strategy)));
  const unshared = others.length > 0 ? await explainUnsharedIn(ctx, input.strategy, [cluster, ...others]) : "";
  if (unshared !== "") plan.warnings.push(unshared);
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

/** explainUnsharedIn returns why connections break when the shares of these clusters change; empty if they stay. */
async function explainUnsharedIn({ db }: ServiceContext, strategy: Strategy, clusters: Cluster[]): Promise<string> {
  const ids = clusters.map((each) => each.id);
  return explainUnshared(strategy, clusters, await findUnsharingAgent(db, ids));
}

/** findCarrierLack says how many agents are missing for the replicas, if any. */
async function findCarrierLack(ctx: ServiceContext, cluster: Cluster, strategy: Strategy): Promise<string[]> {
  if (!carriesOwn(cluster.kind, strategy) || findLack(reachedBy(cluster), strategy)) return [];
  const carriers = await countCarriers(ctx.db, cluster.id);
  if (strategy.type === "adaptive") return findAdaptiveLack(cluster, carriers, replicasOutside(strategy));
  const made = instanceBalancerOf(strategy) ?? namedBalancerOf(strategy) ?? strategy;
  const replicas = "replicas" in made ? (made.replicas ?? 0) : 0;
  if (carriers.balancers >= replicas) return [];
  const pods = cluster.kind === "kubernetes" ? ", or balancers as pods" : "";
  return [
    `In ${cluster.name} ${describeAgents(carriers.balancers)}, but each replica needs its own. Add nodes with the role balancer${pods}.`,
  ];
}

function findAdaptiveLack(cluster: Cluster, carriers: Carriers, outside: number): string[] {
  if (carriers.adaptive === 0)
    return [
      `No node of ${cluster.name} has an agent of the role adaptive. ${adaptiveAgentCure(cluster.kind, "cluster")}`,
    ];
  const count = carriers.balancersBesideAdaptive;
  if (count >= outside) return [];
  return [
    `In ${cluster.name} ${describeAgents(count, "next to an agent of the role adaptive")}, but each balancer for clients outside needs its own. Add agents of both roles to as many nodes.`,
  ];
}

function describeAgents(count: number, where = ""): string {
  const agents = count === 1 ? "1 balancer agent" : `${count || "no"} balancer agents`;
  return [agents, ...(where ? [where] : []), count === 1 ? "reports" : "report"].join(" ");
}

export function nameTaken(clusterName: string, name: string): string {
  return `${clusterName} already has an exposure named ${name}.`;
}
