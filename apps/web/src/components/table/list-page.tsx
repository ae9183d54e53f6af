"use client";
import { type ReactNode, useRef, useState } from "react";
import { useLiveInterval } from "../detail/use-live-interval.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import type { Column } from "./columns.ts";
import { DataTable } from "./data-table.tsx";
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
  /** One and many, as they stand in a sentence: ["exposure", "exposures"]. */
  noun: readonly [string, string];
  searchLabel: string;
  columns: readonly Column<Row>[];
  params: TableParams;
  onParams: ChangeTable;
  /** For rows whose figures move without a change being announced: how often to read them again. */
  refreshEveryMs?: number;
  pageQuery: (offset: number, limit: number) => PageQuery<Row>;
  filters?: ReactNode;
  isFiltered: boolean;
  onClearFilters: () => void;
  rowId: (row: Row) => string;
  rowName: (row: Row) => string;
  rowHref?: (row: Row) => string;
  selection?: Selection | undefined;
  bulk?: ReactNode;
  peekKind: string;
  peek: (id: string, row: Row | undefined) => { title: ReactNode; href?: string; body: ReactNode };
  /** Shown when there is nothing at all: what this is for and how to make the first. */
  emptyYet: ReactNode;
};

/** A list as all lists are: head, search and filters, rows, and a peek at one of them. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { params, selection } = props;
  const root = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState({ first: params.row, last: params.row + 25 });
  const liveInterval = useLiveInterval(props.refreshEveryMs);
  const list = useListWindow(props.pageQuery, range, props.refreshEveryMs ? liveInterval : false);
  const onRange = useStable((next: { first: number; last: number }) => {
    if (next.first !== range.first || next.last !== range.last) setRange(next);
  });
  const onParams = useStable((change: Partial<TableParams>) => {
    // Opening a peek is a step that "back" takes back; moving from row to row is not.
    const opens = change.peek !== undefined && change.peek !== null && params.peek === null;
    props.onParams(change, { history: opens ? "push" : "replace" });
  });

  /** The keyboard goes back to the rows, where it came from. */
  const focusRows = () => root.current?.querySelector<HTMLElement>("[role=grid]")?.focus({ preventScroll: true });

  const peeked = params.peek;
  const peekRow = peeked ? list.loadedRows().find((row) => props.rowId(row) === peeked) : undefined;
  const peek = peeked ? props.peek(peeked, peekRow) : null;
  const noneMatch = (
    <EmptyState
      title={`No ${props.noun[1]} match`}
      actions={<Button onClick={props.onClearFilters}>Clear filters</Button>}
    >
      There are {props.noun[1]}, but none that fit this search and these filters.
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
