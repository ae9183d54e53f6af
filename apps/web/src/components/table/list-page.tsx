"use client";
import { type ReactNode, useRef, useState } from "react";
import { useLiveInterval } from "../detail/use-live-interval.ts";
import { Button } from "../ui/action/button.tsx";
import { EmptyState } from "../ui/layout/empty-state.tsx";
import { PageHeader } from "../ui/layout/page-header.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import type { Column } from "./columns.ts";
import { DataTable } from "./data-table.tsx";
import { DownloadRows } from "./download-rows.tsx";
import { PeekPanel } from "./peek-panel.tsx";
import type { TableParams } from "./table-params.ts";
import { Toolbar } from "./toolbar.tsx";
import type { ChangeTable } from "./use-list-params.ts";
import { type PageQuery, useListWindow } from "./use-list-window.ts";
import type { Selection } from "./use-selection.ts";
import { useStable } from "./use-stable.ts";

export type ListPageProps<Row> = {
  title: string;
  sentence?: ReactNode;
  actions?: ReactNode;
  /** Singular and plural, as in a sentence: ["exposure", "exposures"]. */
  noun: readonly [string, string];
  searchLabel: string;
  columns: readonly Column<Row>[];
  params: TableParams;
  onParams: ChangeTable;
  /** The polling interval, for rows whose values change without a change notification. */
  refreshEveryMs?: number;
  pageQuery: (offset: number, limit: number) => PageQuery<Row>;
  filters?: ReactNode;
  /** The page has an export of its own. */
  hasExport?: boolean;
  isFiltered: boolean;
  onClearFilters: () => void;
  rowId: (row: Row) => string;
  rowName: (row: Row) => string;
  rowGeneration?: (row: Row) => number;
  rowHref?: (row: Row) => string;
  selection?: Selection | undefined;
  bulk?: ReactNode;
  peekKind: string;
  peek: (id: string, row: Row | undefined) => { title: ReactNode; href?: string; body: ReactNode };
  /** Shown if the list is empty: what it is for, and how to create the first entry. */
  emptyYet: ReactNode;
};

/** The common layout of a list: title, search and filters, rows, and a peek at one of them. */
export function ListPage<Row extends object>(props: ListPageProps<Row>) {
  const { params, selection } = props;
  const root = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState({ first: params.row, last: params.row + 25 });
  const liveInterval = useLiveInterval(props.refreshEveryMs);
  const list = useListWindow(props.pageQuery, range, props.refreshEveryMs ? liveInterval : false);
  const onRange = useStable((next: { first: number; last: number }) => {
    if (next.first !== range.first || next.last !== range.last) setRange(next);
  });
  const onParams = useStable((change: Partial<TableParams>) => {
    // Opening a peek adds a history entry. Moving from row to row does not.
    const opens = change.peek !== undefined && change.peek !== null && params.peek === null;
    props.onParams(change, { history: opens ? "push" : "replace" });
  });

  /** Focus returns to the rows. */
  const focusRows = () => root.current?.querySelector<HTMLElement>("[role=grid]")?.focus({ preventScroll: true });

  const peeked = params.peek;
  const peekRow = peeked ? list.loadedRows().find((row) => props.rowId(row) === peeked) : undefined;
  const peek = peeked ? props.peek(peeked, peekRow) : null;
  const noneMatch = (
    <EmptyState
      title={`No ${props.noun[1]} match`}
      actions={<Button onClick={props.onClearFilters}>Clear filters</Button>}
    >
      There are {props.noun[1]}, but none match the search and the filters.
    </EmptyState>
  );

  return (
    <div ref={root} className="flex h-full min-h-0">
      <div className="relative flex min-w-0 flex-1 flex-col">
        <PageHeader title={props.title} sentence={props.sentence} actions={props.actions} />
        <Toolbar
          searchLabel={props.searchLabel}
          columns={props.columns}
          params={params}
          onParams={onParams}
          total={list.total}
          noun={props.noun}
          isFiltered={props.isFiltered}
          onClear={props.onClearFilters}
          filters={props.filters}
          download={
            props.hasExport || !list.total ? null : (
              <DownloadRows name={props.noun[1]} rowId={props.rowId} pageQuery={props.pageQuery} />
            )
          }
        />
        <DataTable
          label={props.title}
          columns={props.columns}
          params={params}
          onParams={onParams}
          list={list}
          onRange={onRange}
          rowId={props.rowId}
          rowName={props.rowName}
          rowGeneration={props.rowGeneration}
          {...(props.rowHref ? { rowHref: props.rowHref } : {})}
          selection={selection}
          empty={props.isFiltered ? noneMatch : props.emptyYet}
        />
        {selection ? (
          <BulkBar count={selection.size} onClear={selection.clear}>
            {props.bulk}
          </BulkBar>
        ) : null}
      </div>
      {peek ? (
        <PeekPanel
          title={peek.title}
          kind={props.peekKind}
          href={peek.href}
          onClose={() => onParams({ peek: null })}
          onClosed={focusRows}
        >
          {peek.body}
        </PeekPanel>
      ) : null}
    </div>
  );
}
