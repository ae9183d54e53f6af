import type { Exposure } from "@fairlead/domain/exposure";

/**
 * describeExposure summarises the state of an exposure. It uses the reconciler's message if there is one, else a
 * message for the phase.
 */
export function describeExposure(exposure: Exposure): string {
  if (exposure.deletedAt) return `${deleting}${whyNotRemoved(exposure)}`;
  if (exposure.observedGeneration === 0) return "Saved. The control plane has not processed it yet.";
  return exposure.message || fallback[exposure.phase];
}

const deleting =
  "Deleting: its balancers drain, then they are removed and their addresses released. The name is reserved until then.";

/** While it is being removed, it isn't ready if something prevents that. */
function whyNotRemoved({ conditions, message }: Exposure): string {
  return conditions.some(({ type, status }) => type === "Ready" && status === "false") && message ? ` ${message}` : "";
}

const fallback: Record<Exposure["phase"], string> = {
  pending: "Waiting to be created.",
  serving: "Serving.",
  degraded: "Serving in part.",
  failed: "It could not be created. The conditions show the reasons.",
  deleting: "Deleting.",
};

/** whenApplied continues a notice of a saved spec: that of a paused exposure is only stored. */
export function whenApplied({ name, pausedAt }: Pick<Exposure, "name" | "pausedAt">): string {
  return pausedAt ? ` It is applied when ${name} is resumed.` : "";
}

/** describeDifferences explains why an exposure is not in the desired state. */
export function describeDifferences({ deletedAt, pausedAt }: Pick<Exposure, "deletedAt" | "pausedAt">): string {
  if (deletedAt) return "Deleting. These objects are left.";
  if (pausedAt) return "Not in the desired state, and not changed until it is resumed.";
  return "Not yet in the desired state.";
}
