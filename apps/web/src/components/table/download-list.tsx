"use client";
import { DownloadRows } from "./download-rows.tsx";
import type { PageQuery } from "./use-list-window.ts";

/** The CSV of one list on a page with several: all rows that match. Nothing while there are none. */
export function DownloadList<Row extends { id: string }>({
  name,
  total,
  pageQuery,
}: {
  /** Of the rows, in the plural. */
  name: string;
  total: number | undefined;
  pageQuery: (offset: number, limit: number) => PageQuery<Row>;
}) {
  if (!total) return null;
  return <DownloadRows name={name} label={`Download ${name} as CSV`} rowId={({ id }) => id} pageQuery={pageQuery} />;
}
