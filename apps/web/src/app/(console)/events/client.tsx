"use client";
import { type eventTopics, severities, subjectKinds } from "@fairlead/domain/event";
import { SinceFilter } from "@/components/since/since-filter.tsx";
import { useSinceNow } from "@/components/since/use-since-now.ts";
import { ChoiceFilter, FilterChip } from "@/components/table/choice-filter.tsx";
import { ListPage } from "@/components/table/list-page.tsx";
import { useListParams } from "@/components/table/use-list-params.ts";
import { usePageQuery } from "@/components/table/use-page-query.ts";
import { EmptyState } from "@/components/ui/layout/empty-state.tsx";
import { statusLooks } from "@/components/ui/status/status.ts";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { subjectHref, subjectWords } from "@/components/words/subjects.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { eventColumns } from "./columns.tsx";
import { EventPeek } from "./peek.tsx";
import { eventParams, toEventInput } from "./search-params.ts";

const severityOptions = severities.map((word) => ({
  word,
  label: statusLooks[word].word,
  look: <StatusBadge status={word} />,
}));
const kindOptions = subjectKinds.map((word) => ({ word, label: subjectWords[word] }));

const topicWords: Record<(typeof eventTopics)[number], string> = { routing: "routing" };

export function EventList() {
  const trpc = useTRPC();
  const [params, setParams, onParams] = useListParams(eventParams);
  const now = useSinceNow(params.since);
  const pageQuery = usePageQuery(toEventInput(params, now), (page) => trpc.event.list.queryOptions(page));

  return (
    <ListPage
      title="Events"
      sentence="State changes and problems, newest first."
      noun={["event", "events"]}
      searchLabel="Search events"
      columns={eventColumns}
      params={params}
      onParams={onParams}
      pageQuery={pageQuery}
      filters={
        <>
          <ChoiceFilter
            label="Severity"
            options={severityOptions}
            chosen={params.severity}
            onChoose={(severity) => setParams({ severity, row: null })}
          />
          <ChoiceFilter
            label="Object"
            options={kindOptions}
            chosen={params.kind}
            onChoose={(kind) => setParams({ kind, row: null })}
          />
          <SinceFilter chosen={params.since} onChoose={(since) => setParams({ since, row: null })} />
          {params.topic ? (
            <FilterChip label="About" value={params.topic} onClear={() => setParams({ topic: null, row: null })}>
              <span className="flex h-7 items-center gap-1.5 pl-2 text-xs">
                <span className="text-muted">About:</span>
                {topicWords[params.topic]}
              </span>
            </FilterChip>
          ) : null}
          {params.mentions ? (
            <FilterChip label="Names" value={params.mentions} onClear={() => setParams({ mentions: null, row: null })}>
              <span className="flex h-7 items-center gap-1.5 pl-2 text-xs">
                <span className="text-muted">Names:</span>
                <span className="max-w-32 truncate font-mono">{params.mentions}</span>
              </span>
            </FilterChip>
          ) : null}
          {params.subject ? (
            <FilterChip label="Only" value={params.subject} onClear={() => setParams({ subject: null, row: null })}>
              <span className="flex h-7 items-center gap-1.5 pl-2 text-xs">
                <span className="text-muted">Only:</span>
                <span className="max-w-32 truncate font-mono">{params.subject}</span>
              </span>
            </FilterChip>
          ) : null}
        </>
      }
      isFiltered={
        params.q !== "" ||
        params.severity !== null ||
        params.kind !== null ||
        params.subject !== null ||
        params.topic !== null ||
        params.mentions !== null ||
        params.since !== null
      }
      onClearFilters={() =>
        setParams({
          q: null,
          severity: null,
          kind: null,
          subject: null,
          topic: null,
          mentions: null,
          since: null,
          row: null,
        })
      }
      rowId={({ id }) => id}
      rowName={({ message }) => message}
      peekKind="Event"
      peek={(_, row) => {
        const href = row ? subjectHref(row.subjectKind, row.subjectId) : null;
        return { title: row?.reason ?? "Event", ...(href ? { href } : {}), body: <EventPeek event={row} /> };
      }}
      emptyYet={
        <EmptyState title="No events">
          Events record what Fairlead did and observed: an agent went silent, an exposure started serving. New events
          appear automatically.
        </EmptyState>
      }
    />
  );
}
