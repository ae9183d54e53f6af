"use client";
import { useCallback, useEffect, useMemo, useState } from "react";
import { fieldErrors, type Problem } from "@/trpc/problem.ts";
import { afterClick, watchPointer } from "./after-click.ts";
import { asSentence, type CheckedDraft, checkDraft } from "./check-draft.ts";
import type { ExposureDraft } from "./draft.ts";

export type ExposureForm = {
  draft: ExposureDraft;
  change: (change: Partial<ExposureDraft>) => void;
  replace: (draft: ExposureDraft) => void;
  /** The user has left this field, so its error may be shown. */
  touch: (path: string) => void;
  /** The error to show under a field, if any. */
  error: (path: string) => string | undefined;
  checked: CheckedDraft;
  /** From now on, every error is shown. */
  showAll: () => void;
  /** Shows the server's errors under their fields, until they change. */
  refuse: (problem: Problem) => void;
};

/** useExposureForm holds the input and decides which errors to show. */
export function useExposureForm(start: () => ExposureDraft): ExposureForm {
  const [draft, setDraft] = useState(start);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [all, setAll] = useState(false);
  const [refused, setRefused] = useState<Record<string, string>>({});
  const checked = useMemo(() => checkDraft(draft), [draft]);

  const change = useCallback((part: Partial<ExposureDraft>) => {
    setDraft((before) => ({ ...before, ...part }));
    setRefused({});
  }, []);
  const replace = useCallback((next: ExposureDraft) => {
    setDraft(next);
    setTouched(new Set());
    setAll(false);
    setRefused({});
  }, []);
  useEffect(() => watchPointer(document), []);
  const touch = useCallback((path: string) => afterClick(() => setTouched((before) => new Set(before).add(path))), []);
  const refuse = useCallback((problem: Problem) => setRefused(fieldErrors(problem)), []);

  function error(path: string): string | undefined {
    const fromServer = refused[path];
    if (fromServer) return asSentence(fromServer);
    return all || touched.has(path) ? checked.problems?.[path] : undefined;
  }
  return { draft, change, replace, touch, error, checked, showAll: () => setAll(true), refuse };
}
