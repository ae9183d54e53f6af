import type { AttentionKind } from "@fairlead/domain/attention";
import type { ConditionReason } from "@fairlead/domain/event";
import type { NewCondition, ObservedExposure } from "@fairlead/domain/exposure";
import { deleteExposure, pauseExposure, recordObservedExposure, resumeExposure } from "../../exposure/index.ts";
import { createTestCluster, createTestExposure, createTestRotation } from "../../testing/index.ts";
import { after, type CreateProblem, dayMs } from "./problem.ts";

const ready = (reason: ConditionReason): NewCondition => ({
  ...{ type: "Ready", status: "false", reason, message: "It isn't ready." },
});
const more = (type: string, status: "false" | "unknown", reason: ConditionReason): NewCondition => ({
  ...{ type, status, reason, message: "" },
});

/** An exposure is observed in this phase with these conditions and so many healthy backends, and then serves. */
function observed(phase: ObservedExposure["phase"], conditions: NewCondition[], backendsUp = 0): CreateProblem {
  return async (ctx) => {
    const { exposure } = await createTestExposure(ctx);
    const balancers = await ctx.db.loadBalancer.findMany({ where: { exposureId: exposure.id } });
    for (const { id: loadBalancerId } of balancers)
      await ctx.db.loadBalancerStatus.create({ data: { loadBalancerId, phase, backendsUp, observedAt: ctx.now } });
    const record = (part: Pick<ObservedExposure, "phase" | "conditions">, at: Date) =>
      recordObservedExposure(
        ctx.db,
        exposure.id,
        { generation: 1, message: "See 10.0.0.7.", applied: true, loadBalancers: [], ...part },
        at,
      );
    await record({ phase, conditions }, ctx.now);
    const fixed: NewCondition = { ...ready("Serving"), status: "true" };
    return { began: ctx.now, fix: () => record({ phase: "serving", conditions: [fixed] }, new Date()) };
  };
}

/** It serves, and is paused for a day. */
const paused: CreateProblem = async (ctx) => {
  const { exposure } = await createTestExposure(ctx);
  const ready: NewCondition = { type: "Ready", status: "true", reason: "Serving", message: "" };
  const observed = { generation: 1, phase: "serving" as const, message: "", conditions: [ready], applied: true };
  await recordObservedExposure(ctx.db, exposure.id, { ...observed, loadBalancers: [] }, ctx.now);
  await pauseExposure(ctx, exposure.id);
  return { began: after(ctx.now, dayMs), fix: () => resumeExposure(ctx, exposure.id) };
};

/** A server lacks the newest managed ticket keys, until it acknowledges them. */
const outdatedTicketKeys: CreateProblem = async (ctx) => {
  const { pool } = await createTestCluster(ctx);
  const { id: exposureId } = await createTestRotation(ctx, pool);
  const ready: NewCondition = { type: "Ready", status: "true", reason: "Serving", message: "" };
  const observed = { generation: 1, phase: "serving" as const, message: "", conditions: [ready], applied: true };
  await recordObservedExposure(ctx.db, exposureId, { ...observed, loadBalancers: [] }, ctx.now);
  const set = (outdatedSince: Date | null) =>
    ctx.db.ticketRotation.update({
      where: { exposureId },
      data: { members: [{ kind: "server", id: "web-1", outdatedSince }] },
    });
  await set(ctx.now);
  return { began: after(ctx.now, 15 * 60_000), fix: () => set(null) };
};

/** It was deleted, and after its drain something of it is left. */
const notDeleted: CreateProblem = async (ctx) => {
  const { exposure } = await createTestExposure(ctx);
  const ready: NewCondition = { type: "Ready", status: "true", reason: "Serving", message: "" };
  const observed = { generation: 1, phase: "serving" as const, message: "", conditions: [ready], applied: true };
  await recordObservedExposure(ctx.db, exposure.id, { ...observed, loadBalancers: [] }, ctx.now);
  await deleteExposure(ctx, exposure.id);
  const { cluster } = await ctx.db.exposure.findUniqueOrThrow({
    where: { id: exposure.id },
    include: { cluster: true },
  });
  const { drainSeconds = 0 } = (cluster.routing ?? {}) as { drainSeconds?: number };
  return {
    began: after(ctx.now, 300_000 + drainSeconds * 1_000),
    fix: () => ctx.db.exposure.delete({ where: { id: exposure.id } }),
  };
};

export const exposureProblems: Record<Extract<AttentionKind, `exposure-${string}`>, CreateProblem> = {
  "exposure-failed": observed("failed", [ready("NotServing")]),
  "exposure-refused": observed("failed", [ready("Refused")]),
  "exposure-no-driver": observed("pending", [ready("NoDriver")]),
  "exposure-not-attached": observed("pending", [ready("NotAttached")]),
  "exposure-no-address": observed("degraded", [ready("PartlyServing"), more("Addressed", "false", "AddressLacking")]),
  "exposure-no-agents": observed("pending", [
    ready("Waiting"),
    more("Placed", "false", "NoAgents"),
    more("BackendsUp", "unknown", "NoBackends"),
  ]),
  "exposure-instances-unknown": observed("failed", [
    ready("NotServing"),
    more("BackendsUp", "false", "InstancesUnknown"),
  ]),
  "exposure-no-backends": observed("degraded", [ready("PartlyServing"), more("BackendsUp", "unknown", "NoBackends")]),
  "exposure-backends-down": observed("degraded", [ready("PartlyServing"), more("BackendsUp", "false", "BackendsDown")]),
  "exposure-agents-silent": observed("failed", [
    ready("NotServing"),
    more("Carried", "false", "ReplicaSilent"),
    more("BackendsUp", "unknown", "ReplicasSilent"),
  ]),
  "exposure-replicas-failed": observed("pending", [ready("Waiting"), more("Carried", "false", "NotCarried")]),
  "exposure-pending": observed("pending", [ready("Waiting")]),
  "exposure-too-many-instances": observed("degraded", [ready("TooManyInstances")]),
  "exposure-partly-placed": observed("degraded", [ready("PartlyServing"), more("Placed", "false", "NoAgents")]),
  "exposure-replica-silent": observed("degraded", [ready("PartlyServing"), more("Carried", "false", "ReplicaSilent")]),
  "exposure-replica-failed": observed("degraded", [ready("PartlyServing"), more("Carried", "false", "NotCarried")]),
  "exposure-some-backends-down": observed(
    "degraded",
    [ready("PartlyServing"), more("BackendsUp", "false", "BackendsDown")],
    1,
  ),
  "exposure-not-by-session": observed("degraded", [
    ready("PartlyServing"),
    more("BySession", "false", "BackendsNotBySession"),
  ]),
  "exposure-not-by-cost": observed("degraded", [ready("PartlyServing"), more("ByCost", "false", "NotByCost")]),
  "exposure-ticket-keys-outdated": outdatedTicketKeys,
  "exposure-degraded": observed("degraded", [ready("PartlyServing"), more("Carried", "unknown", "NotReported")]),
  "exposure-paused": paused,
  "exposure-not-deleted": notDeleted,
};
