import { inTransaction } from "@fairlead/db";
import type { ConditionReason } from "@fairlead/domain/event";
import type { ObservedExposure } from "@fairlead/domain/exposure";
import { recordObservedExposure } from "@fairlead/services";
import { DriverFailure } from "../../driver-failure.ts";
import type { Failure, ReconcileContext } from "../../reconciler.ts";
import { type ExposureHead, findExposureHead } from "./exposure-head.sql.ts";
import { lockExposure } from "./intent.sql.ts";

/** recordExposureFailure records why an exposure could not be reconciled, and the consequence. */
export async function recordExposureFailure(id: string, failure: Failure, ctx: ReconcileContext): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    if (!(await lockExposure(tx, id, ctx))) return;
    const head = await findExposureHead(tx, id);
    if (!head) return;
    const { reason, message } = describe(failure, head);
    await recordObservedExposure(
      tx,
      id,
      {
        generation: head.observedGeneration,
        phase: phaseAfter(failure, head),
        message,
        conditions: [{ type: "Ready", status: "false", reason, message }],
        applied: head.applied,
        loadBalancers: [],
      },
      ctx.now(),
    );
  });
}

function describe(
  { error, terminal }: Failure,
  { cluster, name, pausedAt }: ExposureHead,
): { reason: ConditionReason; message: string } {
  const why = error instanceof Error ? error.message : String(error);
  if (terminal)
    return {
      reason: "Refused",
      message: `${cluster.name} rejected ${name}: ${why}. It is not retried until ${name} is changed.`,
    };
  if (error instanceof DriverFailure)
    return {
      reason: "DriverFailed",
      message: `${cluster.name} could not be ${pausedAt ? "read" : "updated"}: ${why}. It is retried.`,
    };
  return { reason: "InternalError", message: "Something went wrong in the control plane. It is retried." };
}

/** What served before a failed change keeps serving as far as is known, but not as the spec requires. */
function phaseAfter({ terminal }: Failure, { phase }: ExposureHead): ObservedExposure["phase"] {
  if (phase === "serving" || phase === "degraded") return "degraded";
  return terminal ? "failed" : "pending";
}
