import { type ExposureDraft, exposureDraft } from "./draft.ts";

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
