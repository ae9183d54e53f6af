import type { MoveFigures } from "./judge-gates.ts";
import type { Move, MoveGate, MoveState } from "./move.ts";

/** MoveProgress is all that decides what a move does next. */
export type MoveProgress = Pick<
  Move,
  "state" | "steps" | "step" | "stepAt" | "watchSeconds" | "startedAt" | "share"
> & {
  /** When its rollback began; null without one. */
  rollingBackSince: Date | null;
  fromClusterName: string;
  toClusterName: string;
  /** From when the present step is watched: the target serves since then; null if it didn't serve yet. */
  servingSince: Date | null;
  exposure: { isPaused: boolean; isDeleted: boolean };
  figures: MoveFigures;
  gates: readonly MoveGate[];
};

export type MovePlan =
  | { type: "wait" }
  /** Apply the step with this index, counted from 0. */
  | { type: "step"; index: number }
  | { type: "pause"; reason: string }
  | { type: "roll-back"; reason: string }
  /** The source doesn't serve yet: give it all but 1 %, so that the target serves until it does. */
  | { type: "restore-source" }
  | { type: "end"; state: Extract<MoveState, "done" | "rolled-back" | "cancelled">; reason: string };

/** How long the target may take to serve after the first step: replicas are placed and backends are checked. */
export const moveStartsWithinMs = 60_000;

/** While a rollback waits for the source, the target keeps this share, in percent. */
export const keptShare = 1;

/** How long a rollback waits for the source. After that the move ends, and the shares stay. */
export const rollbackWaitsForMs = 600_000;

/** planMove decides the next action of a move from its row and the figures, so it doesn't matter which controller decides. */
export function planMove(progress: MoveProgress, now: Date): MovePlan {
  const { state, steps, step, exposure, figures, fromClusterName } = progress;
  if (isFinal(state)) return { type: "wait" };
  if (exposure.isDeleted) return { type: "end", state: "cancelled", reason: "The exposure is being deleted." };
  if (state === "rolling-back") {
    // The spec from before the pause is in effect, so nothing can be written until then.
    if (exposure.isPaused) return { type: "wait" };
    if (step === 0) return { type: "end", state: "cancelled", reason: "" };
    if (figures.source.isServing) return { type: "end", state: "rolled-back", reason: "" };
    return isOverdue(progress, now)
      ? { type: "end", state: "cancelled", reason: describeOverdue(progress) }
      : { type: "restore-source" };
  }
  if (state === "paused") return { type: "wait" };
  if (exposure.isPaused) return { type: "pause", reason: "The exposure is paused: resume it, then the move." };
  const isHandedOver = step === steps.length;
  if (!figures.source.isReachable && !isHandedOver)
    return { type: "pause", reason: `No balancer agent of ${fromClusterName} reports. The shares stay as they are.` };
  if (step === 0) return { type: "step", index: 0 };
  return watch(progress, now);
}

function isOverdue({ share, rollingBackSince }: MoveProgress, now: Date): boolean {
  if (share !== keptShare || rollingBackSince === null) return false;
  return now.getTime() - rollingBackSince.getTime() >= rollbackWaitsForMs;
}

function describeOverdue({ fromClusterName, toClusterName }: MoveProgress): string {
  const minutes = rollbackWaitsForMs / 60_000;
  return `${fromClusterName} didn't serve within ${minutes} minutes of the rollback. ${toClusterName} serves until it does, and the shares stay at ${100 - keptShare} % and ${keptShare} %: change the placements when ${fromClusterName} serves.`;
}

function watch({ figures, gates, stepAt, servingSince, watchSeconds, ...progress }: MoveProgress, now: Date): MovePlan {
  const { steps, step, toClusterName } = progress;
  if (servingSince !== null && !figures.target.isReachable)
    return { type: "pause", reason: `No balancer agent of ${toClusterName} reports. The shares stay as they are.` };
  const closed = gates.filter((each) => each.state === "closed");
  if (servingSince === null) {
    if (now.getTime() - (stepAt ?? now).getTime() < moveStartsWithinMs) return { type: "wait" };
    const seconds = moveStartsWithinMs / 1_000;
    return { type: "roll-back", reason: `${toClusterName} didn't serve within ${seconds} s: ${describe(closed)}.` };
  }
  if (closed.length > 0)
    return { type: "roll-back", reason: `A gate closed in ${toClusterName}: ${describe(closed)}.` };
  if (now.getTime() < dueAt(servingSince, watchSeconds).getTime()) return { type: "wait" };
  return step < steps.length ? { type: "step", index: step } : { type: "end", state: "done", reason: "" };
}

/** dueAt is when a step has been watched for long enough. */
export function dueAt(servingSince: Date, watchSeconds: number): Date {
  return new Date(servingSince.getTime() + watchSeconds * 1_000);
}

export function isFinal(state: MoveState): boolean {
  return state === "done" || state === "rolled-back" || state === "cancelled";
}

function describe(gates: readonly MoveGate[]): string {
  return gates.map((each) => each.message).join(", ") || "it is not ready";
}
