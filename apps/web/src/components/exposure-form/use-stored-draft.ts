"use client";
import { useEffect, useRef, useState } from "react";
import { type ExposureDraft, emptyDraft } from "./draft.ts";
import { readStoredDraft, storeDraft } from "./stored-draft.ts";
import type { ExposureForm } from "./use-exposure-form.ts";

/**
 * useStoredDraft keeps what was typed over a reload of the tab, and brings it back where nothing else was asked for. Where
 * something else is, what was typed before stays kept until that is typed on.
 */
export function useStoredDraft(form: ExposureForm, { start, isFilled }: { start: ExposureDraft; isFilled: boolean }) {
  const [restored, setRestored] = useState(false);
  const forgotten = useRef(false);
  const ready = useRef(false);
  const { draft, replace } = form;
  useEffect(() => {
    const kept = isFilled ? null : readStoredDraft(sessionStorage);
    if (kept) replace(kept);
    setRestored(kept !== null);
  }, [replace, isFilled]);
  useEffect(() => {
    // The first draft is the empty one, from before the stored one was read.
    if (!ready.current) {
      ready.current = true;
      return;
    }
    if (forgotten.current) return;
    if (isFilled && isUntouched(draft, start)) return;
    storeDraft(sessionStorage, isUntouched(draft, emptyDraft()) ? null : draft);
  }, [draft, start, isFilled]);
  return {
    restored,
    /** It was made, so it need not be kept. */
    forget() {
      forgotten.current = true;
      storeDraft(sessionStorage, null);
    },
    startOver(next: ExposureDraft) {
      replace(next);
      setRestored(false);
    },
  };
}

/** What the form fills in by itself is no draft worth keeping. */
function isUntouched(draft: ExposureDraft, start: ExposureDraft): boolean {
  const { clusterId, poolId, ...typed } = draft;
  const { clusterId: _, poolId: __, ...untyped } = start;
  return JSON.stringify(typed) === JSON.stringify(untyped);
}
