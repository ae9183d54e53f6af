import { inTransaction } from "@fairlead/db";
import { recordObservedExposure, removeExposure } from "@fairlead/services";
import { done, gone, type Outcome } from "../../outcome.ts";
import type { ReconcileContext } from "../../reconciler.ts";
import type { ExposureHead } from "./exposure-head.sql.ts";
import { lockExposure } from "./intent.sql.ts";

/**
 * withoutDriver reports that an exposure has no driver yet. One that was never applied is deleted at once; one that
 * was, by a version that had the driver, must wait for that driver, or what it created would be left behind.
 */
export async function withoutDriver(id: string, head: ExposureHead, ctx: ReconcileContext): Promise<Outcome> {
  const removable = head.deletedAt !== null && !head.applied;
  const message = noDriverMessage(head);
  if (!removable && head.message === message && head.observedGeneration === head.generation) {
    // It was checked and nothing changed: its status has the age of this check, and goes stale without one.
    await ctx.db.exposureStatus.updateMany({ where: { exposureId: id }, data: { observedAt: ctx.now() } });
    return done;
  }
  await inTransaction(ctx.db, async (tx) => {
    if (!(await lockExposure(tx, id, ctx))) return;
    if (removable) await removeExposure(tx, id, ctx.now());
    else
      await recordObservedExposure(
        tx,
        id,
        {
          generation: head.generation,
          phase: "pending",
          message,
          conditions: [
            {
              type: "Ready",
              status: "false",
              reason: head.cluster.kind === "kubernetes" ? "NotAttached" : "NoDriver",
              message,
            },
          ],
          applied: head.applied,
          loadBalancers: [],
        },
        ctx.now(),
      );
    await ctx.passed("recording");
  });
  return removable ? gone : done;
}

const kindNames = { lab: "lab", machines: "machines" } as const;

function noDriverMessage({ cluster, applied, deletedAt }: ExposureHead): string {
  if (cluster.kind === "kubernetes") return notAttached(cluster.name, applied, deletedAt !== null);
  const lack = `${cluster.name} is a ${kindNames[cluster.kind]} cluster, and this version has no driver for it yet.`;
  if (deletedAt) return `${lack} What was created for the exposure is removed when there is one.`;
  if (applied)
    return `${lack} What was created for the exposure stays as it is, and is managed again when there is one.`;
  return `${lack} The exposure is stored and will be created when there is one.`;
}

function notAttached(name: string, applied: boolean, isDeleted: boolean): string {
  const lack = `${name} is not attached: give its kubeconfig.`;
  if (isDeleted) return `${lack} What was created for the exposure is removed then.`;
  if (applied) return `${lack} What was created for the exposure stays as it is, and is managed again then.`;
  return `${lack} The exposure is stored and will be created then.`;
}
