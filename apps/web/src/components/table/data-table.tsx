"use client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRouter } from "next/navigation";
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { problemOf } from "@/trpc/problem.ts";
import { ErrorState } from "../ui/layout/error-state.tsx";
import { type Column, shownColumns } from "./columns.ts";
import { Grid, GridRows } from "./grid.tsx";
import { moveBy } from "./move-by.ts";
import { rowsOnScreen } from "./rows-on-screen.ts";
import { StaleRows } from "./stale-rows.tsx";
import { TableHeader } from "./table-header.tsx";
import type { TableParams } from "./table-params.ts";
import { PlaceholderRow, TableRow } from "./table-row.tsx";
import { useFollowingPeek } from "./use-following-peek.ts";
import type { ListWindow } from "./use-list-window.ts";
import { useRememberedRow } from "./use-remembered-row.ts";
import { useRowHeight } from "./use-row-height.ts";
import type { Picked, Selection } from "./use-selection.ts";
import { useStable } from "./use-stable.ts";

export type DataTableProps<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  params: TableParams;
  onParams: (change: Partial<TableParams>) => void;
  list: ListWindow<Row>;
  onRange: (range: { first: number; last: number }) => void;
  rowId: (row: Row) => string;
  /** The URL of a row's page. Events have none. */
  rowHref?: (row: Row) => string;
  rowName: (row: Row) => string;
  /** For changes of the selected rows that must not be based on an older state. */
  rowGeneration?: ((row: Row) => number) | undefined;
  selection?: Selection | undefined;
  /** Shown instead of rows if there are none. */
  empty: ReactNode;
};

/** How many rows to render before the height of the screen is known, such as on the server. */
const firstRows = 20;
const overscan = 5;

/** A list of up to ten thousand rows or more. Only visible rows are rendered, and only nearby rows are fetched. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, params, onParams, list, selection } = props;
  const router = useRouter();
  const id = useId();
  const scrollRef = useRef<HTMLDivElement>(null);
  const tableRef = useRef<HTMLDivElement>(null);
  const [chosen, setActive] = useState(params.row);
  const { rowHeight, heightRef } = useRowHeight(params.density);
  const shown = useMemo(() => shownColumns(columns, params.cols), [columns, params.cols]);
  const total = list.total ?? firstRows;
  const active = Math.min(chosen, Math.max(0, total - 1));

  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => rowHeight,
    overscan,
    initialOffset: params.row * rowHeight,
    initialRect: { width: 1_000, height: firstRows * rowHeight },
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  const { onRange } = props;
  useEffect(() => onRange({ first, last }), [first, last, onRange]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height are elsewhere
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  useRememberedRow({ scrollRef, rowHeight, params, onParams, onNewList: () => setActive(0) });

  const idAt = (index: number) => {
    const row = list.rowAt(index);
    return row && props.rowId(row);
  };
  const gridRef = useCallback(
    (table: HTMLDivElement | null) => {
      tableRef.current = table;
      return heightRef(table);
    },
    [heightRef],
  );
  const peek = useFollowingPeek(params.peek, idAt, onParams);
  const onToggle = useStable((row: Row) => {
    if (!list.isPrevious) selection?.toggle(pickOf(row));
  });
  const onOpen = useStable((rowId: string, index: number) => {
    setActive(index);
    peek.stay();
    onParams({ peek: rowId === params.peek ? null : rowId });
    tableRef.current?.focus({ preventScroll: true });
  });

  if (list.error && list.total === undefined)
    return (
      <ErrorState
        what={`Could not load: ${props.label}`}
        message={problemOf(list.error).message}
        onRetry={list.retry}
        retrying={list.isFetching}
      />
    );
  if (list.total === 0) return props.empty;

  function goTo(index: number) {
    const next = Math.max(0, Math.min(index, total - 1));
    setActive(next);
    virtualizer.scrollToIndex(next, { align: "auto" });
    if (params.peek) peek.follow(next);
  }

  function pickOf(row: Row): Picked {
    return { id: props.rowId(row), name: props.rowName(row), generation: props.rowGeneration?.(row) };
  }

  function picksOnScreen(): Picked[] {
    const [view, head] = [scrollRef.current, scrollRef.current?.querySelector<HTMLElement>(".data-table-head")];
    if (!view || !head || list.isPrevious) return [];
    const indexes = rowsOnScreen(view, { head: head.offsetHeight, row: rowHeight }, total);
    return indexes.flatMap((index) => list.rowAt(index) ?? []).map(pickOf);
  }

  function openPeek(row: Row) {
    peek.stay();
    onParams({ peek: props.rowId(row) });
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.target !== event.currentTarget || event.altKey || event.metaKey || event.ctrlKey) return;
    const screen = Math.max(1, Math.floor((scrollRef.current?.clientHeight ?? 0) / rowHeight) - 2);
    const next = moveBy(event.key, active, { total, screen });
    const row = list.rowAt(active);
    if (next !== null) goTo(next);
    else if (event.key === "Enter" && event.shiftKey && row && props.rowHref) router.push(props.rowHref(row));
    else if (event.key === "Enter" && row) openPeek(row);
    else if (event.key === " " && row && selection) onToggle(row);
    else if (event.key === "Escape" && params.peek) onParams({ peek: null });
    else return;
    event.preventDefault();
  }

  const head = selection ? [`24px`, ...shown.map((column) => column.width)] : shown.map((column) => column.width);
  const minRem = shown.reduce((sum, column) => sum + column.minRem + 1, selection ? 5.5 : 3);
  const style = {
    "--columns": head.join(" "),
    "--min-width": `${minRem}rem`,
    "--rows": total,
  } as React.CSSProperties;

  return (
    <>
      {list.error ? <StaleRows error={list.error} onRetry={list.retry} isFetching={list.isFetching} /> : null}
      <div ref={scrollRef} className="data-table-frame min-h-0 flex-1 overflow-auto overscroll-contain">
        <Grid
          ref={gridRef}
          aria-label={props.label}
          aria-rowcount={total + 1}
          aria-colcount={shown.length + (selection ? 1 : 0)}
          aria-busy={list.isFetching && list.isPrevious}
          aria-activedescendant={active >= first && active <= last ? `${id}-${active}` : undefined}
          aria-multiselectable={selection ? true : undefined}
          data-density={params.density}
          data-previous={list.isPrevious || undefined}
          className="data-table text-sm"
          style={style}
          onKeyDown={onKeyDown}
        >
          <TableHeader
            columns={shown}
            sort={params.sort}
            onSort={(sort) => onParams({ sort, row: 0 })}
            {...(selection ? { selection, rowsOnScreen: picksOnScreen } : {})}
          />
          <GridRows className="data-table-body">
            {items.map(({ index }) => {
              const row = list.rowAt(index);
              const domId = `${id}-${index}`;
              if (!row)
                return (
                  <PlaceholderRow
                    key={index}
                    domId={domId}
                    index={index}
                    columns={shown}
                    isActive={index === active}
                    hasSelection={!!selection}
                  />
                );
              const rowId = props.rowId(row);
              return (
                <TableRow
                  key={rowId}
                  domId={domId}
                  index={index}
                  row={row}
                  name={props.rowName(row)}
                  columns={shown}
                  rowId={rowId}
                  isActive={index === active}
                  isPeeked={rowId === params.peek}
                  {...(selection ? { selected: selection.has(rowId), onToggle } : {})}
                  onOpen={onOpen}
                />
              );
            })}
          </GridRows>
        </Grid>
      </div>
    </>
  );
}
