import { inTransaction, type Tx } from "@fairlead/db";
import { canonicalJson, conflict, invalid } from "@fairlead/domain";
import {
  type Exposure,
  findPlacementProblem,
  findStrategyProblem,
  hideExposureAddresses,
  namedBalancerOf,
  type Placement,
  planExposure,
  reachedBy,
  type Strategy,
  type UpdateExposure,
} from "@fairlead/domain/exposure";
import { instanceBalancerOf } from "@fairlead/domain/load-balancer";
import { unlessMap } from "../address-map/may-read.ts";
import { loadCluster } from "../cluster/get.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { checkGeneration } from "../control/generation.ts";
import { lockRow } from "../control/lock-row.sql.ts";
import { markDirty } from "../control/mark-dirty.sql.ts";
import { recordSpecChange } from "../control/record-spec-change.ts";
import { onDuplicate } from "../control/unique.ts";
import { withoutUndefined } from "../control/without-undefined.ts";
import { deleteSamples } from "../traffic-flow/client-samples.sql.ts";
import { applyPlan } from "./apply-plan.ts";
import { checkKeyDelivery } from "./check-key-delivery.ts";
import { checkPlacements } from "./check-placements.ts";
import { checkPool } from "./check-pool.ts";
import { desiredOf } from "./desired-of.ts";
import { loadExposure } from "./get.ts";
import { nameTaken } from "./preview.ts";
import { splitStrategy, storedCheck } from "./rows.ts";

/**
 * updateExposure changes the spec and plans again; what the new plan still wants is kept. The same spec changes
 * nothing. While it is paused, the spec is only stored.
 */
export async function updateExposure(
  ctx: ServiceContext,
  id: string,
  input: UpdateExposure,
  expectedGeneration?: number,
): Promise<Exposure> {
  authorize(ctx, "exposure:write");
  const { organizationId, now } = ctx;
  const hide = unlessMap(ctx, hideExposureAddresses<Exposure>);
  return inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, "exposure", organizationId, id);
    const before = await loadExposure(tx, organizationId, id);
    checkGeneration("exposure", before.generation, expectedGeneration);
    refuseWhatMayNotChange(before, input);
    const { strategy, healthCheck, ...rest } = withoutUndefined(input);
    const spec = {
      ...before,
      ...rest,
      strategy: strategy ?? before.strategy,
      healthCheck: healthCheck === undefined ? before.healthCheck : healthCheck,
    };
    if (canonicalJson(desiredOf(spec)) === canonicalJson(desiredOf(before))) return hide(before);
    // Ports and strategy may change separately, so only the two together can be checked.
    const problem = findStrategyProblem(spec.strategy, spec.ports) ?? findPlacementProblem(spec);
    if (problem) throw invalid(problem.path, problem.message);
    const cluster = await loadCluster(tx, organizationId, before.clusterId);
    checkKeyDelivery(cluster, spec.strategy);
    await checkPool(tx, organizationId, cluster, spec.strategy, poolOf(before.strategy));
    await refuseWhileMoved(tx, before, spec);
    const others = await checkPlacements(tx, ctx, { ...spec, cluster, before: keptPlacements(before, spec) });
    await onDuplicate(
      tx.exposure.update({
        where: { id },
        data: {
          ...rest,
          ...splitStrategy(spec.strategy),
          healthCheck: storedCheck(spec.healthCheck),
          ...(canonicalJson(spec.placements) === canonicalJson(before.placements) ? {} : { sharesChangedAt: now }),
          generation: { increment: 1 },
        },
      }),
      ["name"],
      nameTaken(cluster.name, spec.name),
    );
    if (!("sampleClients" in spec.strategy && spec.strategy.sampleClients)) await deleteSamples(tx, id);
    const plan = planExposure(spec, reachedBy(cluster), others);
    // Addresses and replicas of a paused exposure stay in use until it is resumed.
    if (!before.pausedAt) await applyPlan(tx, { organizationId, clusterId: cluster.id, exposureId: id, now }, plan);
    await markDirty(tx, "exposure", id, { urgent: true });
    const after = await loadExposure(tx, organizationId, id);
    await recordSpecChange(tx, ctx, {
      action: "exposure.update",
      subjectKind: "exposure",
      subjectId: id,
      subjectName: after.name,
      clusterId: cluster.id,
      before: desiredOf(before),
      after: desiredOf(after),
    });
    return hide(after);
  });
}

/** Those whose addresses and workload don't change need no check: shares must be movable away from a cluster that fails. */
function keptPlacements(before: Exposure, spec: Pick<Exposure, "placements" | "strategy" | "workload">): Placement[] {
  if (poolOf(before.strategy) !== poolOf(spec.strategy)) return [];
  const own = (of: Pick<Exposure, "workload">, placement?: Placement) =>
    canonicalJson(placement?.workload ?? of.workload);
  return before.placements.filter((each) => {
    const after = spec.placements.find(({ clusterId }) => clusterId === each.clusterId);
    return own(before, each) === own(spec, after);
  });
}

function poolOf(strategy: Strategy): string | undefined {
  return "poolId" in strategy ? strategy.poolId : undefined;
}

function refuseWhatMayNotChange(before: Exposure, input: UpdateExposure): void {
  if (before.deletedAt) throw conflict(`The exposure ${before.name} is being deleted and can't be changed any more.`);
  const type = input.strategy?.type;
  if (type && type !== before.strategy.type)
    throw conflict(
      `The strategy of an exposure can't change from ${before.strategy.type} to ${type}, because that needs other load balancers. Create a second exposure with ${type}, move the clients to it, and delete ${before.name}.`,
      ["strategy", "type"],
    );
  if (!input.strategy || ownOf(input.strategy) === ownOf(before.strategy)) return;
  throw conflict(
    `The addressing of an exposure can't change to or from ${ownOf(input.strategy) ?? ownOf(before.strategy)}, because that needs other load balancers. Create a second exposure with the other addressing, move the clients to it, and delete ${before.name}.`,
    ["strategy", "addressing"],
  );
}

/** A move writes the placements, and a rollback the workload. */
async function refuseWhileMoved(
  tx: Tx,
  before: Exposure,
  spec: Pick<Exposure, "placements" | "strategy" | "workload">,
) {
  const field = (["placements", "workload", "strategy"] as const).find(
    (each) => canonicalJson(before[each]) !== canonicalJson(spec[each]),
  );
  if (!field) return;
  const running = await tx.move.findFirst({ where: { exposureId: before.id, endedAt: null } });
  if (running)
    throw conflict(
      `${before.name} is being moved to ${running.toClusterName}, so its ${field} can't change: wait for the end of the move, or roll it back.`,
      [field],
    );
}

/** The addressing whose balancers we create per instance or by name; null for another. */
function ownOf(strategy: Strategy): "balancer" | "shared-sni" | null {
  if (instanceBalancerOf(strategy)) return "balancer";
  return namedBalancerOf(strategy) ? "shared-sni" : null;
}
