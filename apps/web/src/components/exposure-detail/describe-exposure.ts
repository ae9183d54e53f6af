import type { Exposure } from "@fairlead/domain";

/**
 * describeExposure says in a sentence how an exposure stands. The reconciler's own sentence is used where there is
 * one; before and after it has spoken, what is awaited is said instead.
 */
export function describeExposure(exposure: Exposure): string {
  if (exposure.deletedAt)
    return "It is being taken down: its balancers drain, then they and their addresses go. Its name stays taken until then.";
  if (exposure.observedGeneration === 0) return "The wish is stored; the control plane has not looked at it yet.";
  return exposure.message || fallback[exposure.phase];
}

const fallback: Record<Exposure["phase"], string> = {
  pending: "It waits to be made.",
  serving: "It serves.",
  degraded: "It serves, but not everything it should.",
  failed: "It can't be made as it is; the conditions say why.",
  deleting: "It is being taken down.",
};
