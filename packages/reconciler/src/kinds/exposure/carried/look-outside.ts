import type { ClusterKind } from "@fairlead/domain/cluster";
import { type DesiredExposure, explainLack, namedBalancerOf, type ObservedInstance } from "@fairlead/domain/exposure";
import { instanceBalancerOf } from "@fairlead/domain/load-balancer";
import type { ExposureDriver } from "@fairlead/drivers";
import { loadDesiredExposure } from "@fairlead/services";
import type { ReconcileContext } from "../../../reconciler.ts";

/** Outside is what is known about an exposure's instances without our own rows. */
export type Outside = {
  /** The instances that have lasting names; "stored" where rows have them, null while they are unknown. */
  instances: ObservedInstance[] | "stored" | null;
  /** How many more there are than one exposure may have. */
  surplus: number;
  /** Why the instances are unknown, in a sentence; empty where they are known. */
  unseen: string;
  /** No mark of a deleted exposure is left in its cluster. */
  isClear: boolean;
};

const stored: Outside = { instances: "stored", surplus: 0, unseen: "", isClear: true };

/**
 * lookOutside reads from a Kubernetes cluster which pod is which instance, where instances have names, and marks pods whose
 * own names don't last, unless it is paused. An unreachable cluster blocks nothing: what was known before stays.
 */
export async function lookOutside(
  id: string,
  ctx: ReconcileContext,
  driver: ExposureDriver | null,
  { isPaused, kind }: { isPaused: boolean; kind: ClusterKind },
): Promise<Outside | null> {
  if (kind !== "kubernetes") return stored;
  const desired = await loadDesiredExposure(ctx.db, id);
  if (!desired) return null;
  const { cluster, strategy } = desired;
  const isNamed = instanceBalancerOf(strategy) !== null || namedBalancerOf(strategy) !== null;
  if (!driver)
    return {
      ...stored,
      instances: isNamed ? null : "stored",
      unseen: explainLack(cluster, strategy).message,
    };
  if (!isNamed) return stored;
  try {
    if (!isPaused) await driver.set(desired, ctx.signal);
    if (desired.deletedAt) return { ...stored, instances: [] };
    const { instances, surplus = 0 } = await driver.observe(desired, ctx.signal);
    return { ...stored, instances, surplus };
  } catch (error) {
    if (ctx.signal.aborted) throw error;
    return { instances: null, surplus: 0, unseen: describe(desired, error), isClear: false };
  }
}

function describe({ cluster, deletedAt }: DesiredExposure, error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  const then = deletedAt ? "It is retried." : "What was known of them stays, and it is retried.";
  return `${cluster.name} can't list its instances: ${why.replace(/\.$/, "")}. ${then}`;
}
