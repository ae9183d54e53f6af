"use client";
import type { Choice } from "@fairlead/domain/choice";
import { useQuery } from "@tanstack/react-query";
import { useQueryState } from "nuqs";
import { useRef } from "react";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { EmptyState } from "@/components/ui/layout/empty-state.tsx";
import { ErrorState } from "@/components/ui/layout/error-state.tsx";
import { PageHeader } from "@/components/ui/layout/page-header.tsx";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { useTRPCClient } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { ChoiceForm } from "./choice-form.tsx";
import { ChoiceResult } from "./choice-result.tsx";
import { type ChoiceDraft, emptyDraft, toRequest } from "./draft.ts";
import { choiceParam } from "./search-params.ts";

/** A change of the choice is visible within a second. */
const everyMs = 1_000;

/** Ranks clusters or exposures by requirements. The address holds them, so that a choice can be shared. */
export function ChoicePage() {
  const client = useTRPCClient();
  const liveMs = useLiveInterval(everyMs);
  const [draft, setDraft] = useQueryState("for", choiceParam);
  const last = useRef<{ key: string; choice: Choice } | null>(null);
  const key = JSON.stringify(draft);
  const query = useQuery({
    queryKey: ["choice", key],
    enabled: draft !== null,
    refetchInterval: liveMs,
    retry: false,
    queryFn: async ({ signal }) => {
      const before = last.current?.key === key ? last.current.choice.settled : undefined;
      const request = toRequest(draft ?? emptyDraft);
      const choice = await client.choice.choose.query(
        { ...request, ...(before ? { previous: before } : {}) },
        { signal },
      );
      last.current = { key, choice };
      return choice;
    },
  });
  return (
    <>
      <PageHeader title="Choose" sentence="Ranks clusters or exposures by requirements, with the evidence for each." />
      <div className="grid items-start gap-x-10 gap-y-8 px-4 pb-10 md:px-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <ChoiceForm key={key} initial={draft ?? emptyDraft} onChoose={(next: ChoiceDraft) => void setDraft(next)} />
        {draft === null ? (
          <EmptyState title="No requirements">
            Mark at least one requirement as preferred or required, and choose. Nothing is changed.
          </EmptyState>
        ) : query.error ? (
          <ErrorState
            what="Could not choose"
            message={problemOf(query.error).message}
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          />
        ) : query.data ? (
          <ChoiceResult choice={query.data} />
        ) : (
          <Skeleton className="h-40 w-full" />
        )}
      </div>
    </>
  );
}
