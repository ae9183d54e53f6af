import { type ExposureDraft, exposureDraft } from "./draft.ts";
import type { Prefilled } from "./draft-for.ts";

const key = "fairlead.exposure-draft";

/** readStoredDraft restores the input from before a reload of this tab, if it is still a valid draft. */
export function readStoredDraft(storage: Pick<Storage, "getItem">): ExposureDraft | null {
  try {
    const parsed = exposureDraft.safeParse(JSON.parse(storage.getItem(key) ?? "null"));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

export function storeDraft(storage: Pick<Storage, "setItem" | "removeItem">, draft: ExposureDraft | null): void {
  try {
    if (draft) storage.setItem(key, JSON.stringify(draft));
    else storage.removeItem(key);
  } catch {
    // If the storage is full or disabled, only the restore after a reload is lost.
  }
}

/**
 * mergeStored decides what becomes of the stored input when a link opens the form. What the link fills in has priority: the
 * cluster of the link is set in the stored input, which is restored. Another workload or a copy starts a new draft, and the stored
 * input is offered. A link to the workload that was stored, or a reload of it, restores the input.
 */
export function mergeStored(stored: ExposureDraft, link: Prefilled): { restored: boolean; draft: ExposureDraft } {
  switch (link.fills) {
    case "cluster":
      return { restored: true, draft: inCluster(stored, link.draft.clusterId) };
    case "workload":
      return { restored: isSameWorkload(stored, link.draft), draft: stored };
    case "everything":
      return { restored: false, draft: stored };
  }
}

/** A pool belongs to one cluster, so it is not kept in another. */
function inCluster(draft: ExposureDraft, clusterId: string): ExposureDraft {
  if (clusterId === "" || clusterId === draft.clusterId) return draft;
  return { ...draft, clusterId, poolId: "" };
}

function isSameWorkload(one: ExposureDraft, other: ExposureDraft): boolean {
  const fields = ["clusterId", "workloadKind", "namespace", "workloadName"] as const;
  return fields.every((field) => one[field] === other[field]);
}
