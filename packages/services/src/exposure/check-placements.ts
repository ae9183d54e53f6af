import type { Tx } from "@fairlead/db";
import { DomainError, invalid } from "@fairlead/domain";
import type { Cluster } from "@fairlead/domain/cluster";
import {
  type CreateExposure,
  describeWorkload,
  findLack,
  findRouterProblem,
  type Placement,
  pairUseOf,
  type RouterUse,
  reachedBy,
  routerUseOf,
  type Strategy,
  standsBy,
} from "@fairlead/domain/exposure";
import { loadCluster } from "../cluster/get.ts";
import type { ServiceContext } from "../context.ts";
import { lockRow } from "../control/lock-row.sql.ts";
import { countCarriers } from "./count-carriers.sql.ts";
import {
  countMatching,
  findOutdatedSpeaker,
  findOverlappingPool,
  selectWeighingRouters,
} from "./placement-state.sql.ts";

type Spread = Pick<CreateExposure, "workload"> & {
  strategy: Strategy;
  placements?: readonly Placement[] | undefined;
  cluster: Cluster;
  /** Those that it has already: they stay even if their cluster lacks something, so that shares can be moved away from it. */
  before?: readonly Placement[];
  /** What routers do for it already. */
  use?: RouterUse;
};

/**
 * checkPlacements returns the other clusters that an exposure spans, and refuses one that can't serve it: without agents or
 * instances, without a router in common, or with a router that ignores shares.
 */
export async function checkPlacements(
  tx: Tx,
  { organizationId }: Pick<ServiceContext, "organizationId">,
  { placements = [], cluster, before = [], use = { byWeight: false, inOrder: false }, strategy, workload }: Spread,
): Promise<Cluster[]> {
  const others: Cluster[] = [];
  const wanted = routerUseOf(placements.map(standsBy));
  const isNewUse = (wanted.byWeight && !use.byWeight) || (wanted.inOrder && !use.inOrder);
  for (const [index, placement] of placements.entries()) {
    if (placement.clusterId === cluster.id) continue;
    const path = ["placements", index, "clusterId"];
    const other = await loadOther(tx, organizationId, placement.clusterId, path);
    others.push(other);
    const isKept = before.some((each) => each.clusterId === other.id);
    if (isKept && !isNewUse) continue;
    const lack = isKept ? null : findLack(reachedBy(other), strategy);
    if (lack) throw invalid(path, lack.message);
    const weighing = await selectWeighingRouters(tx, organizationId);
    const isOwnStandby = placements.some((each) => each.clusterId === cluster.id && standsBy(each));
    const pair = pairUseOf(wanted, isOwnStandby, standsBy(placement));
    const problem = findRouterProblem(cluster, other, { weighing, use: pair });
    if (problem) throw invalid(path, problem);
    const outdated = wanted.byWeight ? await findOutdatedSpeaker(tx, [cluster.id, other.id]) : null;
    if (outdated)
      throw invalid(path, `The speaker on ${outdated} sends no shares, because its agent is outdated: update it.`);
    if (isKept) continue;
    const { balancers } = await countCarriers(tx, other.id);
    if (balancers === 0)
      throw invalid(path, `No agent of the role balancer reports in ${other.name}: add one, or start it.`);
    const overlap =
      "poolId" in strategy && strategy.poolId ? await findOverlappingPool(tx, other.id, strategy.poolId) : null;
    if (overlap)
      throw invalid(
        path,
        `The pool ${overlap} of ${other.name} has the same addresses, so ${other.name} may give this one to another exposure: change or delete it.`,
      );
    const own = placement.workload ?? workload;
    if ((await countMatching(tx, other.id, own)) === 0)
      throw invalid(
        placement.workload ? ["placements", index, "workload"] : path,
        `${other.name} has no instance of ${describeWorkload(own)}: start it there, or select another workload.`,
      );
  }
  return others;
}

/** loadOthers returns the other clusters that an exposure spans, as they were accepted before. */
export async function loadOthers(
  tx: Tx,
  organizationId: string,
  { clusterId, placements }: { clusterId: string; placements: readonly Placement[] },
): Promise<Cluster[]> {
  const others: Cluster[] = [];
  for (const each of placements)
    if (each.clusterId !== clusterId) others.push(await loadCluster(tx, organizationId, each.clusterId));
  return others;
}

/** Locked like the exposure's own cluster: it must not be deleted meanwhile. */
async function loadOther(tx: Tx, organizationId: string, id: string, path: (string | number)[]): Promise<Cluster> {
  try {
    await lockRow(tx, "cluster", organizationId, id, { mode: "share" });
    return await loadCluster(tx, organizationId, id);
  } catch (error) {
    if (error instanceof DomainError && error.code === "not-found")
      throw invalid(path, "There is no such cluster: choose another.");
    throw error;
  }
}
