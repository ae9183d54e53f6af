"use client";
import { ArrowDown, ArrowUp } from "lucide-react";
import { classNames } from "../ui/class-names.ts";
import { Checkbox } from "../ui/form/checkbox.tsx";
import type { ColumnHead } from "./columns.ts";
import { GridHeader, GridRow, GridRows } from "./grid.tsx";
import type { Sort } from "./url-codecs.ts";
import type { Picked, Selection } from "./use-selection.ts";

export function TableHeader({
  columns,
  sort,
  onSort,
  selection,
  rowsOnScreen,
}: {
  columns: readonly ColumnHead[];
  sort: Sort;
  onSort: (sort: Sort) => void;
  selection?: Selection;
  rowsOnScreen?: () => Picked[];
}) {
  return (
    <GridRows className="data-table-head">
      <GridRow aria-rowindex={1}>
        {selection && rowsOnScreen ? (
          <GridHeader data-narrow="hidden">
            <Checkbox
              className="block"
              tabIndex={-1}
              aria-label="Select the rows on screen"
              checked={selection.size > 0}
              indeterminate={selection.size > 0 && !rowsOnScreen().every(({ id }) => selection.has(id))}
              onChange={(event) => (event.target.checked ? selection.add(rowsOnScreen()) : selection.clear())}
            />
          </GridHeader>
        ) : null}
        {columns.map((column) => (
          <HeaderCell key={column.id} column={column} sort={sort} onSort={onSort} />
        ))}
      </GridRow>
    </GridRows>
  );
}

function HeaderCell({ column, sort, onSort }: { column: ColumnHead; sort: Sort; onSort: (sort: Sort) => void }) {
  const isSorted = sort.sort === column.id;
  const isDescending = sort.direction === "desc";
  const Arrow = isDescending ? ArrowDown : ArrowUp;
  const ariaSort = isSorted ? (isDescending ? "descending" : "ascending") : column.isSortable ? "none" : undefined;
  return (
    <GridHeader aria-sort={ariaSort} data-align={column.align} className="font-normal text-muted text-xs">
      {column.isSortable ? (
        <button
          type="button"
          data-align={column.align}
          onClick={() => onSort({ sort: column.id, direction: isSorted && !isDescending ? "desc" : "asc" })}
          className={classNames(
            "-mx-1 inline-flex h-6 max-w-full items-center gap-1 rounded-sm px-1 hover:bg-hover hover:text-ink focus-visible:-outline-offset-2",
            isSorted && "text-ink",
          )}
        >
          <span className="truncate">{column.label}</span>
          {isSorted ? <Arrow className="size-3.5 shrink-0" aria-hidden /> : null}
        </button>
      ) : (
        column.label
      )}
    </GridHeader>
  );
}
