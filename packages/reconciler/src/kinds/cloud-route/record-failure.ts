import { inTransaction } from "@fairlead/db";
import { CloudRefused } from "@fairlead/drivers";
import { recordDampedEvent } from "@fairlead/services";
import { DriverFailure } from "../../driver-failure.ts";
import { holdLease } from "../../lease.sql.ts";
import type { Failure, ReconcileContext } from "../../reconciler.ts";
import { lockCloudRoute } from "./load.sql.ts";
import { notifyStreams } from "./record.ts";

/**
 * recordCloudFailure records why the cloud can't be called, and the consequence. It is always retried: policies and
 * keys are repaired outside this system.
 */
export async function recordCloudFailure(clusterId: string, { error }: Failure, ctx: ReconcileContext): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const route = await lockCloudRoute(tx, clusterId);
    await holdLease(tx, ctx.task);
    if (!route) return;
    const { isRefusal, why } = describe(error);
    const update = (where: object, data: object = {}) =>
      tx.cloudAddress.updateMany({ where: { clusterId, ...where }, data: { reason: why, ...data } });
    await update({ state: "leaving" });
    if (isRefusal) await update({ state: { in: ["placed", "moving", "refused"] } }, { state: "refused" });
    // The reason of a move is shown later; that the cloud was unreachable meanwhile is not part of it.
    else await update({ state: "moving", fromName: "" });
    const { kind, objectId } = ctx.task;
    const task = await tx.reconcileTask.findUnique({ where: { kind_objectId: { kind, objectId } } });
    // Recorded once, until the call succeeds or fails for another reason.
    if (error instanceof Error && task?.lastError === error.message) return;
    await recordDampedEvent(tx, route.organizationId, {
      at: ctx.now(),
      reason: isRefusal ? "CloudRefused" : "CloudUnreachable",
      message: `${why.charAt(0).toUpperCase()}${why.slice(1)}. Addresses stay where they are; it is retried.`,
      subjectKind: "cluster",
      subjectId: clusterId,
      subjectName: route.clusterName,
      clusterId,
    });
    await notifyStreams(tx, route.organizationId, clusterId);
  });
}

function describe(error: unknown): { isRefusal: boolean; why: string } {
  if (!(error instanceof DriverFailure)) return { isRefusal: false, why: "Something went wrong in the control plane" };
  return { isRefusal: error.cause instanceof CloudRefused, why: error.message };
}
