import type { ReactNode } from "react";

/**
 * Where a cell is placed if there is no room for columns: first line left, first line right, second line, or nowhere.
 */
export type NarrowPlace = "lead" | "trail" | "line" | "hidden";

export type Column<Row> = {
  id: string;
  label: string;
  /** Its CSS grid track, such as "minmax(12rem, 2fr)". */
  width: string;
  /** The minimum width in rem. Below the sum of these, the table scrolls sideways. */
  minRem: number;
  narrow: NarrowPlace;
  cell: (row: Row) => ReactNode;
  align?: "end";
  /** Whether the server can sort by this column. */
  isSortable?: boolean;
  /** The column names the row, so it can't be hidden. */
  isFixed?: boolean;
  isHiddenAtFirst?: boolean;
};

/** A column without its cells, for headers, placeholders and the view menu. */
export type ColumnHead = Omit<Column<never>, "cell">;

export function defaultColumnIds(columns: readonly ColumnHead[]): string[] {
  return columns.filter((column) => !column.isHiddenAtFirst).map((column) => column.id);
}

/** shownColumns sorts the columns in the order of the selected ids. Fixed columns are always included. */
export function shownColumns<C extends ColumnHead>(columns: readonly C[], chosen: readonly string[] | null): C[] {
  const ids = chosen ?? defaultColumnIds(columns);
  const byId = new Map(columns.map((column) => [column.id, column]));
  const shown = ids.flatMap((id) => byId.get(id) ?? []);
  const missing = columns.filter((column) => column.isFixed && !ids.includes(column.id));
  return [...missing, ...shown];
}

/** The order in the view menu: visible columns in their order, then hidden ones in declaration order. */
export function allInOrder<C extends ColumnHead>(columns: readonly C[], chosen: readonly string[] | null): C[] {
  const shown = shownColumns(columns, chosen);
  return [...shown, ...columns.filter((column) => !shown.includes(column))];
}

/** chooseColumns returns the value for the URL: null if the selection equals the default. */
export function chooseColumns(columns: readonly ColumnHead[], ids: readonly string[]): string[] | null {
  const usual = defaultColumnIds(columns);
  const same = ids.length === usual.length && ids.every((id, i) => id === usual[i]);
  return same ? null : [...ids];
}

export function toggleColumn(
  columns: readonly ColumnHead[],
  chosen: readonly string[] | null,
  id: string,
): string[] | null {
  const shown = shownColumns(columns, chosen).map((column) => column.id);
  const next = shown.includes(id) ? shown.filter((each) => each !== id) : [...shown, id];
  return chooseColumns(columns, next);
}

/** moveColumn moves a visible column by one place. At the edge it stays. */
export function moveColumn(
  columns: readonly ColumnHead[],
  chosen: readonly string[] | null,
  id: string,
  by: -1 | 1,
): string[] | null {
  const ids = shownColumns(columns, chosen).map((column) => column.id);
  const from = ids.indexOf(id);
  const to = from + by;
  const other = ids[to];
  if (from < 0 || other === undefined) return chooseColumns(columns, ids);
  ids[to] = id;
  ids[from] = other;
  return chooseColumns(columns, ids);
}
