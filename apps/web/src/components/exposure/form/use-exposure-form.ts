"use client";
import type { Cluster } from "@fairlead/domain/cluster";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useChosenCluster } from "@/components/ui/form/cluster-select.tsx";
import { fieldErrors, type Problem } from "@/trpc/problem.ts";
import { afterClick, watchPointer } from "./after-click.ts";
import { asSentence, type CheckedDraft, checkDraft, withProblems } from "./check-draft.ts";
import type { ExposureDraft } from "./draft.ts";
import { findLacks, findSecretProblem } from "./find-lacks.ts";

export type ExposureForm = {
  draft: ExposureDraft;
  isNew: boolean;
  /** The selected cluster, once it is known. */
  cluster: Cluster | undefined;
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

/**
 * useExposureForm holds the input and decides which errors to show. A new exposure must be one that its cluster can have now; an
 * existing one may be changed meanwhile.
 */
export function useExposureForm(start: () => ExposureDraft, { isNew }: { isNew: boolean }): ExposureForm {
  const [draft, setDraft] = useState(start);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [all, setAll] = useState(false);
  const [refused, setRefused] = useState<Record<string, string>>({});
  const cluster = useChosenCluster(draft.clusterId);
  const lacks = useMemo(() => (isNew && cluster ? findLacks(draft, cluster) : {}), [isNew, draft, cluster]);
  const checked = useMemo(() => {
    const ofSecret = cluster ? findSecretProblem(draft, cluster) : {};
    return withProblems(checkDraft(draft), { ...ofSecret, ...lacks });
  }, [draft, cluster, lacks]);

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
    // Shown at once, because it can result from a choice in another field, such as the cluster.
    if (lacks[path]) return lacks[path];
    return all || touched.has(path) ? checked.problems?.[path] : undefined;
  }
  return { draft, isNew, cluster, change, replace, touch, error, checked, showAll: () => setAll(true), refuse };
}
