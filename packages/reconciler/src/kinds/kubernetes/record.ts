import { inTransaction, type Tx } from "@fairlead/db";
import type { EventContent } from "@fairlead/domain/event";
import type { KubernetesPhase } from "@fairlead/domain/kubernetes";
import { appendFeed, markDirty, recordDampedEvent } from "@fairlead/services";
import { holdLease } from "../../lease.sql.ts";
import type { ReconcileContext } from "../../reconciler.ts";
import { type StoredAccess, selectAccess } from "./load.sql.ts";
import type { Found } from "./look.ts";

/**
 * recordFound stores how an API was found and records events of what changed. It returns since when the phase holds;
 * null where the access was replaced meanwhile, so that the finding no longer applies.
 */
export async function recordFound(
  clusterId: string,
  access: StoredAccess,
  found: Found,
  ctx: ReconcileContext,
): Promise<Date | null> {
  return inTransaction(ctx.db, async (tx) => {
    const before = await selectAccess(tx, clusterId, { lock: true });
    await holdLease(tx, ctx.task);
    if (before?.generation !== access.generation) return null;
    const now = ctx.now();
    const isChanged = found.phase !== before.phase;
    const since = isChanged ? now : (before.since ?? now);
    const permissions = found.permissions ?? before.permissions;
    const data = {
      generation: access.generation,
      phase: found.phase,
      message: found.message,
      version: found.version ?? before.version,
      permissions,
      checkedAt: found.permissions === null ? before.checkedAt : now,
      observedAt: now,
      since,
    };
    await tx.kubernetesStatus.upsert({ where: { clusterId }, update: data, create: { clusterId, ...data } });
    const event = isChanged || data.message !== before.message ? eventOf(before.phase, data) : null;
    if (event)
      await recordDampedEvent(tx, before.organizationId, { ...event, ...subjectOf(clusterId, before), at: now });
    const isNews =
      isChanged ||
      data.message !== before.message ||
      data.version !== before.version ||
      JSON.stringify(permissions) !== JSON.stringify(before.permissions);
    if (isNews) await notifyStreams(tx, before.organizationId, clusterId);
    // Objects that wait for the cluster need not wait for their resync.
    if (isChanged && found.phase === "connected") await markDirty(tx, "cluster", clusterId);
    return since;
  });
}

type Reported = { phase: KubernetesPhase; message: string; version: string };
function eventOf(before: KubernetesPhase | null, { phase, message, version }: Reported): EventContent | null {
  switch (phase) {
    case "connected":
      return {
        reason: "ClusterReached",
        message: `The API responds with version ${version}.${before === "degraded" ? " All required permissions are granted." : ""}`,
      };
    case "degraded":
      return { reason: "PermissionMissing", message };
    case "unreachable":
      return {
        reason: "ClusterUnreachable",
        message: `${message} What is exposed stays as it is; it is retried.`,
      };
    case "refused":
      return {
        reason: "ClusterRefused",
        message: `${message} What is exposed stays as it is; it is retried.`,
      };
    case "checking":
      return null;
    default:
      return phase satisfies never;
  }
}

function subjectOf(clusterId: string, { clusterName }: StoredAccess) {
  return { subjectKind: "cluster" as const, subjectId: clusterId, subjectName: clusterName, clusterId };
}

async function notifyStreams(tx: Tx, organizationId: string, clusterId: string): Promise<void> {
  await appendFeed(tx, organizationId, [{ subjectKind: "cluster", subjectId: clusterId, clusterId }]);
}
