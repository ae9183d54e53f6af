"use client";
import { type MouseEvent, memo } from "react";
import { Checkbox } from "../ui/form/checkbox.tsx";
import { Skeleton } from "../ui/layout/skeleton.tsx";
import type { Column, ColumnHead } from "./columns.ts";
import { GridCell, GridRow } from "./grid.tsx";

type TableRowProps<Row> = {
  domId: string;
  index: number;
  row: Row;
  rowId: string;
  name: string;
  columns: readonly Column<Row>[];
  isActive: boolean;
  isPeeked: boolean;
  selected?: boolean;
  onToggle?: (row: Row) => void;
  onOpen: (rowId: string, index: number) => void;
};

function TableRowInner<Row>({ domId, index, row, rowId, name, columns, ...props }: TableRowProps<Row>) {
  const { onToggle } = props;
  function onClick(event: MouseEvent<HTMLDivElement>) {
    const target = event.target as HTMLElement;
    if (target.closest("a, button, input, label") || !window.getSelection()?.isCollapsed) return;
    props.onOpen(rowId, index);
  }
  return (
    <GridRow
      id={domId}
      aria-rowindex={index + 2}
      aria-selected={props.selected}
      data-row
      data-active={props.isActive || undefined}
      data-peeked={props.isPeeked || undefined}
      style={rowStyle(index)}
      onClick={onClick}
    >
      {onToggle ? (
        <GridCell data-narrow="hidden">
          <Checkbox
            className="block"
            tabIndex={-1}
            aria-label={`Select ${name}`}
            checked={props.selected ?? false}
            onChange={() => onToggle(row)}
          />
        </GridCell>
      ) : null}
      {columns.map((column) => (
        <GridCell key={column.id} data-narrow={column.narrow} data-align={column.align}>
          {column.cell(row)}
        </GridCell>
      ))}
    </GridRow>
  );
}

/** A row renders again only when its data changes. Scrolling must not render rows again. */
export const TableRow = memo(TableRowInner) as typeof TableRowInner;

/** The placeholder of a row that is loading, with its columns. */
export function PlaceholderRow({
  domId,
  index,
  columns,
  isActive = false,
  hasSelection = false,
}: {
  domId?: string;
  index: number;
  columns: readonly ColumnHead[];
  isActive?: boolean;
  hasSelection?: boolean;
}) {
  return (
    <GridRow
      id={domId}
      aria-rowindex={index + 2}
      aria-busy="true"
      data-active={isActive || undefined}
      style={rowStyle(index)}
    >
      {hasSelection ? (
        <GridCell data-narrow="hidden">
          <Skeleton className="size-4" />
        </GridCell>
      ) : null}
      {columns.map((column, i) => (
        <GridCell key={column.id} data-narrow={column.narrow} data-align={column.align}>
          <Skeleton className={skeletonWidths[(index * 3 + i * 5) % skeletonWidths.length] ?? "w-20"} />
        </GridCell>
      ))}
    </GridRow>
  );
}

/** Words vary in length, so the placeholders do too. */
const skeletonWidths = ["w-24", "w-16", "w-20", "w-28", "w-14", "w-20", "w-32"];

function rowStyle(index: number): React.CSSProperties {
  return { "--index": index } as React.CSSProperties;
}
