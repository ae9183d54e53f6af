"use client";
import { ChevronDown, ChevronUp, SlidersHorizontal } from "lucide-react";
import { Button } from "../ui/action/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { Checkbox } from "../ui/form/checkbox.tsx";
import { Select } from "../ui/form/select.tsx";
import { Popover } from "../ui/overlay/popover.tsx";
import { allInOrder, type ColumnHead, moveColumn, shownColumns, toggleColumn } from "./columns.ts";
import { densities, type TableParams } from "./table-params.ts";
import { formatSort } from "./url-codecs.ts";

/** The view of a list: sort order, density, and the visible columns with their order. */
export function ViewOptions({
  columns,
  params,
  onParams,
}: {
  columns: readonly ColumnHead[];
  params: TableParams;
  onParams: (change: Partial<TableParams>) => void;
}) {
  const shown = shownColumns(columns, params.cols);
  const sortable = columns.filter((column) => column.isSortable);
  return (
    <Popover
      label="View"
      align="end"
      className="w-72 p-3"
      trigger={
        <Button size="sm" variant="quiet">
          <SlidersHorizontal aria-hidden />
          View
        </Button>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        <label className="flex items-center justify-between gap-3">
          Sort by
          <Select
            className="w-44"
            value={formatSort(params.sort)}
            onChange={({ target }) => {
              const isDescending = target.value.startsWith("-");
              const sort = target.value.replace(/^-/, "");
              onParams({ sort: { sort, direction: isDescending ? "desc" : "asc" }, row: 0 });
            }}
          >
            {sortable.map((column) => [
              <option key={column.id} value={column.id}>
                {column.label} ↑
              </option>,
              <option key={`-${column.id}`} value={`-${column.id}`}>
                {column.label} ↓
              </option>,
            ])}
          </Select>
        </label>
        <fieldset className="flex items-center justify-between gap-3">
          <legend className="float-left">Density</legend>
          <span className="flex rounded-md border bg-surface p-0.5">
            {densities.map((density) => (
              <button
                key={density}
                type="button"
                aria-pressed={params.density === density}
                onClick={() => onParams({ density })}
                className={classNames(
                  "h-6 rounded-sm px-2 text-xs capitalize",
                  params.density === density ? "bg-raised text-ink shadow-sm" : "text-muted hover:text-ink",
                )}
              >
                {density}
              </button>
            ))}
          </span>
        </fieldset>
        <fieldset>
          <legend className="pb-1 text-muted text-xs">Columns</legend>
          <ul>
            {allInOrder(columns, params.cols).map((column) => {
              const at = shown.indexOf(column as ColumnHead);
              return (
                <li key={column.id} className="flex min-h-8 items-center gap-1">
                  <label className="flex min-w-0 flex-1 items-center gap-2.5">
                    <Checkbox
                      checked={at >= 0}
                      disabled={column.isFixed ?? false}
                      onChange={() => onParams({ cols: toggleColumn(columns, params.cols, column.id) })}
                    />
                    {column.label}
                  </label>
                  <Button
                    variant="quiet"
                    size="icon-sm"
                    aria-label={`Move ${column.label} forward`}
                    disabled={at <= 0}
                    onClick={() => onParams({ cols: moveColumn(columns, params.cols, column.id, -1) })}
                  >
                    <ChevronUp aria-hidden />
                  </Button>
                  <Button
                    variant="quiet"
                    size="icon-sm"
                    aria-label={`Move ${column.label} back`}
                    disabled={at < 0 || at === shown.length - 1}
                    onClick={() => onParams({ cols: moveColumn(columns, params.cols, column.id, 1) })}
                  >
                    <ChevronDown aria-hidden />
                  </Button>
                </li>
              );
            })}
          </ul>
          {params.cols ? (
            <Button size="sm" variant="quiet" className="mt-1 -ml-2" onClick={() => onParams({ cols: null })}>
              Reset columns
            </Button>
          ) : null}
        </fieldset>
      </div>
    </Popover>
  );
}
