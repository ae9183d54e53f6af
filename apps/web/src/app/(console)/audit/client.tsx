"use client";
import { subjectKinds } from "@fairlead/domain/event";
import { SinceFilter } from "@/components/since/since-filter.tsx";
import { useSinceNow } from "@/components/since/use-since-now.ts";
import { ChoiceFilter, FilterChip } from "@/components/table/choice-filter.tsx";
import { ListPage } from "@/components/table/list-page.tsx";
import { useListParams } from "@/components/table/use-list-params.ts";
import { usePageQuery } from "@/components/table/use-page-query.ts";
import { EmptyState } from "@/components/ui/layout/empty-state.tsx";
import { subjectWords } from "@/components/words/subjects.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { auditColumns } from "./columns.tsx";
import { ExportMenu } from "./export-menu.tsx";
import { AuditPeek } from "./peek.tsx";
import { auditParams, toAuditInput } from "./search-params.ts";

const kindOptions = subjectKinds.map((word) => ({ word, label: subjectWords[word] }));

export function AuditList() {
  const trpc = useTRPC();
  const [params, setParams, onParams] = useListParams(auditParams);
  const now = useSinceNow(params.since);
  const pageQuery = usePageQuery(toAuditInput(params, now), (page) => trpc.audit.list.queryOptions(page));

  return (
    <ListPage
      title="Audit"
      sentence="Changes and sign-ins of users, API keys and agents, newest first."
      actions={<ExportMenu params={params} />}
      hasExport
      noun={["entry", "entries"]}
      searchLabel="Search by user, action or name"
      columns={auditColumns}
      params={params}
      onParams={onParams}
      pageQuery={pageQuery}
      filters={
        <>
          <ChoiceFilter
            label="Object"
            options={kindOptions}
            chosen={params.kind}
            onChoose={(kind) => setParams({ kind, row: null })}
          />
          <SinceFilter chosen={params.since} onChoose={(since) => setParams({ since, row: null })} />
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
      isFiltered={params.q !== "" || params.kind !== null || params.subject !== null || params.since !== null}
      onClearFilters={() => setParams({ q: null, kind: null, subject: null, since: null, row: null })}
      rowId={({ id }) => id}
      rowName={({ action, subjectName }) => `${action} ${subjectName}`}
      peekKind="Audit entry"
      peek={(_, row) => ({ title: row?.action ?? "Audit entry", body: <AuditPeek entry={row} /> })}
      emptyYet={
        <EmptyState title="No audit entries">
          Every change made by a user or an API key is recorded here, with the values before and after.
        </EmptyState>
      }
    />
  );
}
