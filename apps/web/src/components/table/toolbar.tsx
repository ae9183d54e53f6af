"use client";
import type { ReactNode } from "react";
import { Button } from "../ui/action/button.tsx";
import { countOf } from "../words/numbers.ts";
import type { ColumnHead } from "./columns.ts";
import { SearchField } from "./search-field.tsx";
import type { TableParams } from "./table-params.ts";
import { ViewOptions } from "./view-options.tsx";

/** The controls above the rows: search, filters, the number of matches, and view options. */
export function Toolbar({
  searchLabel,
  columns,
  params,
  onParams,
  total,
  noun,
  isFiltered,
  onClear,
  filters,
  download,
}: {
  searchLabel: string;
  columns: readonly ColumnHead[];
  params: TableParams;
  onParams: (change: Partial<TableParams>) => void;
  total: number | undefined;
  /** Singular and plural: ["exposure", "exposures"]. */
  noun: readonly [string, string];
  isFiltered: boolean;
  onClear: () => void;
  filters?: ReactNode;
  download?: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-center gap-2 border-b px-4 pb-3 md:px-6">
      <SearchField value={params.q} label={searchLabel} onSearch={(q) => onParams({ q, row: 0 })} />
      {filters}
      {isFiltered ? (
        <Button size="sm" variant="quiet" onClick={onClear}>
          Clear filters
        </Button>
      ) : null}
      <span className="ml-auto flex items-center gap-2">
        <span className="tabular whitespace-nowrap text-muted text-xs" role="status">
          {total === undefined ? "" : countOf(total, noun[0], noun[1])}
        </span>
        {download}
        <ViewOptions columns={columns} params={params} onParams={onParams} />
      </span>
    </div>
  );
}
