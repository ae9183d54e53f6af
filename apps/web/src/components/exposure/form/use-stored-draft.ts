"use client";
import { useEffect, useRef, useState } from "react";
import { type ExposureDraft, emptyDraft } from "./draft.ts";
import type { Prefilled } from "./draft-for.ts";
import { mergeStored, readStoredDraft, storeDraft } from "./stored-draft.ts";
import type { ExposureForm } from "./use-exposure-form.ts";

/**
 * useStoredDraft keeps the input across a reload of the tab. It restores the input, or offers it if a link prefills the form
 * with something else. In that case, the stored input is kept until the user types.
 */
export function useStoredDraft(form: ExposureForm, given: Prefilled) {
  // A refresh of the page has an equal link, which must not restore the input once more.
  const [link] = useState(given);
  const [restored, setRestored] = useState(false);
  const [offered, setOffered] = useState<ExposureDraft | null>(null);
  const isDeleted = useRef(false);
  const ready = useRef(false);
  const { draft, replace } = form;
  useEffect(() => {
    const stored = readStoredDraft(sessionStorage);
    if (!stored) return;
    const merged = mergeStored(stored, link);
    if (merged.restored) replace(merged.draft);
    setRestored(merged.restored);
    setOffered(merged.restored ? null : merged.draft);
  }, [replace, link]);
  useEffect(() => {
    // The first draft is empty: it is from before the stored one was read.
    if (!ready.current) {
      ready.current = true;
      return;
    }
    if (isDeleted.current) return;
    if (link.fills !== "cluster" && isUntouched(draft, link.draft)) return;
    storeDraft(sessionStorage, isUntouched(draft, emptyDraft()) ? null : draft);
  }, [draft, link]);
  return {
    restored,
    /** Whether there is input that restore() brings back. */
    isOffered: offered !== null,
    restore() {
      if (!offered) return;
      replace(offered);
      setOffered(null);
      setRestored(true);
    },
    /** The input is offered until the page is left. */
    startOver() {
      replace(link.draft);
      setOffered(draft);
      setRestored(false);
    },
    /** The exposure was created, so the draft can be deleted. */
    remove() {
      isDeleted.current = true;
      storeDraft(sessionStorage, null);
    },
  };
}

/** Values that the form fills in by itself are not worth storing. */
function isUntouched(draft: ExposureDraft, start: ExposureDraft): boolean {
  const { clusterId, poolId, ...typed } = draft;
  const { clusterId: _, poolId: __, ...untyped } = start;
  return JSON.stringify(typed) === JSON.stringify(untyped);
}
