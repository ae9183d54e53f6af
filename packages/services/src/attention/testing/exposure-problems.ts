import type { AttentionKind } from "@fairlead/domain/attention";
import type { ConditionReason } from "@fairlead/domain/event";
import type { NewCondition, ObservedExposure } from "@fairlead/domain/exposure";
import { pauseExposure, recordObservedExposure, resumeExposure } from "../../exposure/index.ts";
import { createTestExposure } from "../../testing/index.ts";
import { after, type CreateProblem, dayMs } from "./problem.ts";

const ready = (reason: ConditionReason): NewCondition => ({
  ...{ type: "Ready", status: "false", reason, message: "It isn't ready." },
});
const more = (type: string, status: "false" | "unknown", reason: ConditionReason): NewCondition => ({
  ...{ type, status, reason, message: "" },
});

/** An exposure is observed in this phase with these conditions, and then serves. */
function observed(phase: ObservedExposure["phase"], conditions: NewCondition[]): CreateProblem {
  return async (ctx) => {
    const { exposure } = await createTestExposure(ctx);
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

export const exposureProblems: Record<Extract<AttentionKind, `exposure-${string}`>, CreateProblem> = {
  "exposure-failed": observed("failed", [ready("NotServing")]),
  "exposure-refused": observed("failed", [ready("Refused")]),
  "exposure-no-driver": observed("pending", [ready("NoDriver")]),
  "exposure-not-attached": observed("pending", [ready("NotAttached")]),
  "exposure-no-agents": observed("pending", [
    ready("Waiting"),
    more("Placed", "false", "NoAgents"),
    more("BackendsUp", "unknown", "NoBackends"),
  ]),
  "exposure-no-backends": observed("degraded", [ready("PartlyServing"), more("BackendsUp", "unknown", "NoBackends")]),
  "exposure-backends-down": observed("degraded", [ready("PartlyServing"), more("BackendsUp", "false", "BackendsDown")]),
  "exposure-pending": observed("pending", [ready("Waiting")]),
  "exposure-degraded": observed("degraded", [ready("PartlyServing"), more("Placed", "false", "NoAgents")]),
  "exposure-paused": paused,
};
