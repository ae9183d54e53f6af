"use client";
import { useEffect, useRef, useState } from "react";
import { type ExposureDraft, emptyDraft } from "./draft.ts";
import { readStoredDraft, storeDraft } from "./stored-draft.ts";
import type { ExposureForm } from "./use-exposure-form.ts";

/**
 * useStoredDraft keeps the input across a reload of the tab, and restores it unless the URL prefills the form. In that
 * case, the stored input is kept until the user types.
 */
export function useStoredDraft(form: ExposureForm, { start, isFilled }: { start: ExposureDraft; isFilled: boolean }) {
  const [restored, setRestored] = useState(false);
  const isDeleted = useRef(false);
  const ready = useRef(false);
  const { draft, replace } = form;
  useEffect(() => {
    const kept = isFilled ? null : readStoredDraft(sessionStorage);
    if (kept) replace(kept);
    setRestored(kept !== null);
  }, [replace, isFilled]);
  useEffect(() => {
    // The first draft is empty: it is from before the stored one was read.
    if (!ready.current) {
      ready.current = true;
      return;
    }
    if (isDeleted.current) return;
    if (isFilled && isUntouched(draft, start)) return;
    storeDraft(sessionStorage, isUntouched(draft, emptyDraft()) ? null : draft);
  }, [draft, start, isFilled]);
  return {
    restored,
    /** The exposure was created, so the draft can be deleted. */
    remove() {
      isDeleted.current = true;
      storeDraft(sessionStorage, null);
    },
    startOver(next: ExposureDraft) {
      replace(next);
      setRestored(false);
    },
  };
}

/** Values that the form fills in by itself are not worth storing. */
function isUntouched(draft: ExposureDraft, start: ExposureDraft): boolean {
  const { clusterId, poolId, ...typed } = draft;
  const { clusterId: _, poolId: __, ...untyped } = start;
  return JSON.stringify(typed) === JSON.stringify(untyped);
}
