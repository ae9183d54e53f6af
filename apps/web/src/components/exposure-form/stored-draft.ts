import { type ExposureDraft, exposureDraft } from "./draft.ts";

const key = "fairlead.exposure-draft";

/** readStoredDraft brings back what was typed before a reload in this tab, if it is still such a draft. */
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
    // A full or forbidden storage costs the draft after a reload, nothing else.
  }
}
