import type { Cluster } from "@fairlead/domain/cluster";
import { type BalancerFacts, billingOf, exchangeTo, hourOf, type PlannedCost, planCost } from "@fairlead/domain/cost";
import { type CreateExposure, type PlanExposureCost, planExposure, reachedBy } from "@fairlead/domain/exposure";
import { instanceBalancerOf } from "@fairlead/domain/load-balancer";
import { loadCluster } from "../cluster/get.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { keepCatalogue } from "../cost/keep-catalogue.ts";
import { bookOwner } from "../cost/open-context.ts";
import { dayOf } from "../cost/price-moment.ts";
import { checkPool } from "../exposure/check-pool.ts";
import { countMatching } from "../instance/match.sql.ts";

/** The provider assigns a public address later. Whatever it is, it is billed. */
const assignedLater = "assigned-later";

/** planExposureCost calculates what the load balancers of a new exposure would cost in an hour, by current prices. */
export async function planExposureCost(
  ctx: ServiceContext,
  { currency, ...spec }: PlanExposureCost,
): Promise<PlannedCost> {
  authorize(ctx, "exposure:read");
  const { db, organizationId } = ctx;
  const cluster = await loadCluster(db, organizationId, spec.clusterId, ["clusterId"]);
  const pool = await checkPool(db, organizationId, cluster, spec.strategy);
  const address = pool ? (pool.prefix.split("/")[0] ?? null) : assignedLater;
  return priceExposure(ctx, { spec, cluster, address, currency });
}

type Priced = {
  spec: Pick<CreateExposure, "clusterId" | "name" | "workload" | "ports" | "strategy" | "labels">;
  cluster: Cluster;
  address: string | null;
  currency: string;
};

/** priceExposure prices an hour of what a spec creates in a cluster. address: null if another balancer has it. */
export async function priceExposure(
  ctx: ServiceContext,
  { spec, cluster, address, currency }: Priced,
): Promise<PlannedCost> {
  const { db, now } = ctx;
  const plan = planExposure(spec, reachedBy(cluster));
  const balancerCount = plan.perInstance ? Math.max(1, (await countMatching(db, spec)).total) : 1;
  const [planned] = plan.loadBalancers;
  const machineCount = planned?.replicas ?? instanceBalancerOf(spec.strategy)?.replicas ?? 0;
  const facts: BalancerFacts = {
    name: spec.name,
    kind: machineCount > 0 ? "fairlead" : "cloud",
    instance: null,
    address,
    exposureName: spec.name,
    clusterName: cluster.name,
    clusterRegion: cluster.region,
    runsAs: cluster.runsAs,
    labels: spec.labels,
    strategy: spec.strategy,
    ports: spec.ports,
  };
  const book = bookOwner({ caller: ctx });
  const { catalogue, rates } = await keepCatalogue(ctx, { organizationId: book });
  const then = { day: dayOf(now), catalogue, exchange: exchangeTo(currency, rates), currency };
  return {
    ...planCost(billingOf(facts), { balancerCount, machineCount, hour: hourOf(now) }, then),
    currency,
    hasPriceBook: book !== null,
    perInstance: plan.perInstance,
    balancerCount,
  };
}
