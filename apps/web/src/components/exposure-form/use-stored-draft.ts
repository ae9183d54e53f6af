"use client";
import { useEffect, useRef, useState } from "react";
import { type ExposureDraft, emptyDraft } from "./draft.ts";
import { readStoredDraft, storeDraft } from "./stored-draft.ts";
import type { ExposureForm } from "./use-exposure-form.ts";

/** useStoredDraft keeps what was typed over a reload of the tab, and brings it back where nothing else was asked for. */
export function useStoredDraft(form: ExposureForm, { mayRestore }: { mayRestore: boolean }) {
  const [restored, setRestored] = useState(false);
  const forgotten = useRef(false);
  const ready = useRef(false);
  const { draft, replace } = form;
  useEffect(() => {
    const kept = mayRestore ? readStoredDraft(sessionStorage) : null;
    if (kept) replace(kept);
    setRestored(kept !== null);
  }, [replace, mayRestore]);
  useEffect(() => {
    // The first draft is the empty one, from before the stored one was read.
    if (!ready.current) {
      ready.current = true;
      return;
    }
    if (forgotten.current) return;
    storeDraft(sessionStorage, isUntouched(draft) ? null : draft);
  }, [draft]);
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
function isUntouched(draft: ExposureDraft): boolean {
  const { clusterId, poolId, ...typed } = draft;
  const { clusterId: _, poolId: __, ...untyped } = emptyDraft();
  return JSON.stringify(typed) === JSON.stringify(untyped);
}
