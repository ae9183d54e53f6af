import type { Exposure, TicketRotationDetail } from "@fairlead/domain/exposure";

/** whyNotRotate returns why no rotation can start now; null if it can. */
export function whyNotRotate(
  { deletedAt, pausedAt }: Pick<Exposure, "deletedAt" | "pausedAt">,
  { phase, isRequested }: Pick<TicketRotationDetail, "phase" | "isRequested">,
): string | null {
  if (deletedAt) return "The exposure is being deleted.";
  if (pausedAt) return "The exposure is paused.";
  if (isRequested) return "A rotation is requested already.";
  if (phase === "retiring") return "The former key is still accepted. The next rotation can start when it is dropped.";
  return phase === "idle" ? null : "A rotation is running.";
}
